// probe DIR: reads a position a line, and prints its value by flat tables.
//
//     gcc -O2 -o probe probe.c -lzstd
//
// The format and the index functions are specified in tablebase/FORMAT.md. This
// reader knows boards of up to 64 points; sets of points are bits of a number, the
// point at file f and rank r being bit r * width + f.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

typedef uint64_t set;

enum { MAX_POINTS = 64, MAX_MAPS = 8, HEADER_BYTES = 4096, MAX_BLOCK = 1 << 16, KEPT_BLOCKS = 4096, FRAME_EXTRA = 1024, MAX_DISTANCE = 8191 };
enum { FANORONA, KONANE, PHUTBALL, GAMES };
static const char *const game_names[GAMES] = {"fanorona", "konane", "phutball"};
static const char *const signs[GAMES] = {"WB.", "xo.", "*@."};
static const char *const sides[GAMES][2] = {{"w", "b"}, {"b", "w"}, {"ohs", "eks"}};
static const char *const values[3] = {"draw", "win", "loss"};

// ---- files ----

// The lines of a header, in their order: from INDICES on numbers, but for the fingerprint.
enum {
    FORMAT, GAME, BOARD, RULES, METRIC, SLICE, INDICES, POSITIONS, WINS, LOSSES, DRAWS, QUIET,
    LONGEST_WIN, LONGEST_LOSS, FINGERPRINT, BLOCK_INDICES, BLOCKS, LINES
};
static const char *const keys[LINES] = {
    "paika flat", "game", "board", "rules", "metric", "slice", "indices", "positions", "wins", "losses", "draws", "quiet",
    "longest-win", "longest-loss", "fingerprint", "block-indices", "blocks",
};

// A slice is one file. Its header and directory are checked, blocks when they are asked for.
struct slice {
    const unsigned char *file, *directory;
    uint64_t size, indices, per_block, blocks;
    int dtw;
    char header[HEADER_BYTES + 1], *line[LINES];  // what stands behind each key
};

static struct slice *slices[MAX_POINTS + 1][MAX_POINTS + 1];  // by own pieces and the opponent's; Phutball's is [0][0]
static char failure[512];                                      // why there is no answer

// plain replaces what is not for a terminal: a text may be of a stranger's file.
static char *plain(char *text) {
    for (char *at = text; *at; at++)
        if (*at < ' ' || *at > '~') *at = '?';
    return text;
}

static int fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(failure, sizeof failure, format, args);
    va_end(args);
    plain(failure);
    return -1;
}

static void die(const char *name, const char *what) {
    static char text[HEADER_BYTES + 512];
    snprintf(text, sizeof text, "%s: %s", name, what);
    fprintf(stderr, "probe: %s\n", plain(text));
    exit(2);
}

// crc32 goes on from that of what stands before, 0 for nothing.
static uint32_t crc32(uint32_t crc, const unsigned char *bytes, size_t n) {
    static uint32_t table[256];
    for (uint32_t b = 1; b < 256 && !table[255]; b++) {
        table[b] = b;
        for (int i = 0; i < 8; i++) table[b] = table[b] & 1 ? 0xedb88320 ^ table[b] >> 1 : table[b] >> 1;
    }
    for (crc = ~crc; n > 0; n--) crc = table[(crc ^ *bytes++) & 255] ^ crc >> 8;
    return ~crc;
}

static uint64_t number_at(const unsigned char *bytes, int n) {
    uint64_t number = 0;
    while (n-- > 0) number = number << 8 | bytes[n];
    return number;
}

// bytes_of is the size of so many values.
static uint64_t bytes_of(const struct slice *s, uint64_t n) { return s->dtw ? 2 * n : (n + 3) / 4; }

static void die_of(const char *path, int line) {
    fail("the header is wrong: %s", keys[line]);
    die(path, failure);
}

// read_header takes all lines, in order, and nothing more. A number is as it would be printed.
static void read_header(const char *path, struct slice *s) {
    uint64_t number[LINES] = {0};
    char *text = s->header, printed[32];
    for (int i = 0; i < LINES; i++) {
        size_t n = strlen(keys[i]);
        char *end = strchr(text, '\n');
        if (!end || strncmp(text, keys[i], n) != 0 || text[n] != ' ') die_of(path, i);
        *end = 0;
        s->line[i] = text + n + 1;
        for (; text < end; text++)
            if (*text < ' ' || *text > '~') die_of(path, i);
        text++;
        s->dtw |= i == METRIC && strcmp(s->line[i], "dtw") == 0;
        int longest = i == LONGEST_WIN || i == LONGEST_LOSS;
        if (i < INDICES || i == FINGERPRINT || (longest && strcmp(s->line[i], "-") == 0)) continue;
        number[i] = strtoull(s->line[i], NULL, 10);
        snprintf(printed, sizeof printed, "%" PRIu64, number[i]);
        if (strcmp(s->line[i], printed) != 0 || (longest && (!s->dtw || number[i] > MAX_DISTANCE))) die_of(path, i);
    }
    if (strcmp(text, "\n") != 0) die(path, "the header is wrong: it has more lines");
    s->indices = number[INDICES];
    s->per_block = s->dtw ? 1 << 14 : 1 << 16;
    s->blocks = number[BLOCKS];
    uint64_t rest = number[POSITIONS];  // those of which the values are not counted yet
    for (int i = WINS; i <= DRAWS; rest -= number[i++])
        if (number[i] > rest) die_of(path, i);
    if (rest != 0) die_of(path, POSITIONS);
    if (!s->dtw && strcmp(s->line[METRIC], "wdl") != 0) die_of(path, METRIC);
    if (s->indices == 0 || s->indices >> 48) die_of(path, INDICES);
    if (strlen(s->line[FINGERPRINT]) != 64 || strspn(s->line[FINGERPRINT], "0123456789abcdef") != 64) die_of(path, FINGERPRINT);
    if (number[BLOCK_INDICES] != s->per_block) die_of(path, BLOCK_INDICES);
    if (s->blocks != (s->indices + s->per_block - 1) / s->per_block) die_of(path, BLOCKS);
}

// read_directory wants blocks one behind the other, from so many bytes on and up to the directory.
static void read_directory(const char *path, struct slice *s, uint64_t from) {
    uint64_t begin = s->size - 4 - 16 * s->blocks, most = bytes_of(s, s->per_block) + FRAME_EXTRA;
    if (s->size - from < 4 || s->blocks > (s->size - from - 4) / 16) die(path, "it was cut short");
    s->directory = s->file + begin;
    uint32_t crc = crc32(crc32(0, s->file, from), s->directory, 16 * s->blocks);
    if (crc != number_at(s->file + s->size - 4, 4)) die(path, "header and directory: the checksum is wrong");
    for (uint64_t i = 0; i < s->blocks; i++) {
        uint64_t offset = number_at(s->directory + 16 * i, 8), length = number_at(s->directory + 16 * i + 8, 4);
        if (offset != from || length > most) die(path, "the directory does not fit the file");
        from += length;
    }
    if (from != begin) die(path, "the directory does not fit the file");
}

// open_slice maps a file and checks its header and directory.
static struct slice *open_slice(const char *path) {
    struct slice *s = calloc(1, sizeof *s);
    struct stat info;
    int fd = open(path, O_RDONLY | O_NONBLOCK);  // a pipe would keep one waiting
    if (!s || fd < 0 || fstat(fd, &info) != 0) die(path, strerror(errno));
    if (!S_ISREG(info.st_mode)) die(path, "it is no regular file");
    s->size = (uint64_t)info.st_size;
    s->file = s->size ? mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (s->file == MAP_FAILED) die(path, "it can't be mapped");
    memcpy(s->header, s->file, s->size < HEADER_BYTES ? s->size : HEADER_BYTES);
    char *end = strstr(s->header, "\n\n");
    if (strncmp(s->header, "paika flat ", 11) != 0 || !end) die(path, "it is no flat table");
    if (strncmp(s->header, "paika flat 1\n", 13) != 0) die(path, "of another format: this reader knows format 1");
    end[2] = 0;
    uint64_t length = (uint64_t)(end - s->header) + 2;
    read_header(path, s);
    read_directory(path, s, length);
    return s;
}

// Blocks that were asked for are kept, each in the one place that its number has.
static struct kept {
    const struct slice *slice;
    uint64_t block;
    unsigned char *content;
} kept[KEPT_BLOCKS];
static ZSTD_DCtx *decompressor;

// is_frame tells whether some bytes are one frame, which says that it has so many bytes, and needs a
// window of at most 128 KiB: its sixth byte tells that, where the content is not the window.
static int is_frame(const unsigned char *frame, size_t length, uint64_t content) {
    return ZSTD_findFrameCompressedSize(frame, length) == length && number_at(frame, 4) == ZSTD_MAGICNUMBER &&
           ZSTD_getFrameContentSize(frame, length) == content && (frame[4] & 0x20 || frame[5] <= (17 - 10) << 3);
}

// block gives the values of a block, its checksum compared, or NULL.
static const unsigned char *block(const struct slice *s, uint64_t number) {
    struct kept *k = &kept[(number * 31 + (uintptr_t)s / sizeof *s * 977) % KEPT_BLOCKS];
    if (k->slice == s && k->block == number) return k->content;
    if (!k->content && !(k->content = malloc(MAX_BLOCK))) die(s->line[SLICE], "no memory");
    k->slice = NULL;
    const unsigned char *entry = s->directory + 16 * number, *frame = s->file + number_at(entry, 8);
    uint64_t length = number_at(entry + 8, 4), n = s->indices - number * s->per_block;
    if (n > s->per_block) n = s->per_block;
    if (crc32(0, frame, length) != number_at(entry + 12, 4)) {
        fail("slice %s, block %" PRIu64 ": the checksum is wrong", s->line[SLICE], number);
        return NULL;
    }
    if (!is_frame(frame, length, bytes_of(s, n)) ||
        ZSTD_decompressDCtx(decompressor, k->content, MAX_BLOCK, frame, length) != bytes_of(s, n)) {
        fail("slice %s, block %" PRIu64 ": it is not the values that it should be", s->line[SLICE], number);
        return NULL;
    }
    k->slice = s;
    k->block = number;
    return k->content;
}

// ---- sets of points ----

static int game, width, height, points, map_count, keeping_count;
static set all_points, colours[2];
static uint64_t choose[MAX_POINTS + 1][MAX_POINTS + 1];

// A map of the board onto itself, by byte of a set: the images of its points.
struct map {
    int to[MAX_POINTS];
    set bytes[8][256];
};
static struct map maps[MAX_MAPS];  // those that keep colours first
static struct map upend, mirror;

static set image(const struct map *m, set s) {
    set found = 0;
    for (int i = 0; s != 0; i++, s >>= 8) found |= m->bytes[i][s & 255];
    return found;
}

static void fill_map(struct map *m, int left, int up, int exchange) {
    memset(m, 0, sizeof *m);
    for (int p = 0; p < points; p++) {
        int f = p % width, r = p / width;
        if (left) f = width - 1 - f;
        if (up) r = height - 1 - r;
        m->to[p] = exchange ? f * width + r : r * width + f;
        for (int b = 0; b < 256; b++)
            if (b >> p % 8 & 1) m->bytes[p / 8][b] |= (set)1 << m->to[p];
    }
}

static int count(set s) { return __builtin_popcountll(s); }

// rank is the number of a set among those of its size, of the points of a region.
static uint64_t rank(set s, set region) {
    uint64_t sum = 0;
    for (int k = 1; s != 0; k++, s &= s - 1) sum += choose[count(region & ((s & -s) - 1))][k];
    return sum;
}

// The classes of the sets of k points of a region, by the rank of the representative.
struct classes {
    uint32_t *number, count;
};
static struct classes classes[2][MAX_POINTS + 1];  // by colour, in Konane, and k

static const struct classes *classes_of(int colour, set region, int k) {
    struct classes *c = &classes[colour][k];
    if (c->number) return c;
    int at[MAX_POINTS + 1], where[MAX_POINTS], n = 0;
    for (set rest = region; rest != 0; rest &= rest - 1) where[n++] = __builtin_ctzll(rest);
    if (choose[n][k] > (uint64_t)1 << 28 || !(c->number = malloc(sizeof *c->number * choose[n][k]))) {
        fail("%d stones of either side are too many for this reader", k);
        return NULL;
    }
    for (int i = 0; i < k; i++) at[i] = i;
    for (uint64_t number = 0;; number++) {
        set s = 0;
        for (int i = 0; i < k; i++) s |= (set)1 << where[at[i]];
        int least = 1;
        for (int i = 0; i < keeping_count && least; i++) least = rank(image(&maps[i], s), region) >= number;
        c->number[number] = least ? c->count++ : UINT32_MAX;
        int i = 0;
        while (i < k && at[i] + 1 == (i + 1 < k ? at[i + 1] : n)) i++;
        if (i == k) return c;
        at[i]++;
        while (i-- > 0) at[i] = i;
    }
}

// index_of is the index of a leading and a trailing set, moved by maps from first up to
// last: the leading set to a region of which there are classes. The trailing one is
// ranked in another region or, where that is 0, on the points that are left.
static uint64_t index_of(const struct classes *c, set lead, set trail, set region, set other, int first, int last) {
    uint64_t least = UINT64_MAX, best = UINT64_MAX;
    for (int i = first; i < last; i++) {
        set moved = image(&maps[i], lead);
        uint64_t r = rank(moved, region);
        if (r > least) continue;
        if (r < least) best = UINT64_MAX;
        least = r;
        uint64_t t = rank(image(&maps[i], trail), other ? other : all_points & ~moved);
        if (t < best) best = t;
    }
    int n = other ? count(other) : points - count(lead);
    return c->number[least] * choose[n][count(trail)] + best;
}

// ---- games ----

// A place is where a position's value is, or that value, of a game that is over.
struct place {
    const struct slice *slice;
    uint64_t index;
    int over, value;
};

// absent tells whether a slice is not here: before classes are found for nothing.
static int absent(int own, int opp, struct place *p) {
    p->slice = slices[own][opp];
    if (p->slice) return 0;
    return game == PHUTBALL ? fail("slice all is not here") : fail("slice %dv%d is not here", own, opp);
}

static int over(int won, struct place *p) {
    p->over = 1;
    p->value = won ? 1 : 2;
    return 0;
}

static int place_fanorona(set own, set opp, struct place *p) {
    if (!own && !opp) return fail("no stones");
    if (!own || !opp) return over(own != 0, p);
    if (absent(count(own), count(opp), p)) return -1;
    int own_leads = count(own) <= count(opp);
    set lead = own_leads ? own : opp, trail = own_leads ? opp : own;
    const struct classes *c = classes_of(0, all_points, count(lead));
    if (c) p->index = index_of(c, lead, trail, all_points, 0, 0, keeping_count);
    return c ? 0 : -1;
}

static int place_konane(const set pieces[2], int side, struct place *p) {
    if (pieces[0] & ~colours[0] || pieces[1] & ~colours[1]) return fail("a stone stands on a point of the other colour");
    int own = count(pieces[side]), opp = count(pieces[1 - side]);
    if (absent(own, opp, p)) return -1;
    int mover = own + opp ? side : 0, leader = own <= opp ? mover : 1 - mover;
    int exchange = mover == 1 && keeping_count < map_count, to = leader ^ exchange;
    set lead = pieces[leader], trail = pieces[1 - leader];
    const struct classes *c = classes_of(to, colours[to], count(lead)), *black = NULL;
    if (!c) return -1;
    uint64_t base = 0;
    if (mover == 1 && !exchange) {  // behind those with Black to move
        if (!(black = classes_of(1 - leader, colours[1 - leader], count(lead)))) return -1;
        base = black->count * choose[count(colours[leader])][count(trail)];
    }
    int first = exchange ? keeping_count : 0, last = exchange ? map_count : keeping_count;
    p->index = base + index_of(c, lead, trail, colours[to], colours[1 - to], first, last);
    return 0;
}

static uint64_t squeeze(set men, int at) {
    return (men & (((set)1 << at) - 1)) | (men >> (at + 1) << at);
}

static int place_phutball(set men, set ball, int side, struct place *p) {
    if (count(ball) != 1) return fail("want one ball, on the board");
    if (side) men = image(&upend, men), ball = image(&upend, ball);
    int at = __builtin_ctzll(ball);
    if (at / width == 0 || at / width == height - 1) return over(at / width > 0, p);
    if (at % width > width - 1 - at % width) men = image(&mirror, men), at = mirror.to[at];
    uint64_t number = squeeze(men, at), other = squeeze(image(&mirror, men), at);
    if (2 * (at % width) == width - 1 && other < number) number = other;
    uint64_t class = (uint64_t)(at / width - 1) * ((width + 1) / 2) + at % width;
    p->index = (class << (points - 1)) + number;
    return absent(0, 0, p);
}

// parse reads a position: the pieces of each sign, and the number of the side to move.
static int parse(const char *text, set pieces[2], int *side) {
    pieces[0] = pieces[1] = 0;
    for (int r = height - 1; r >= 0; r--) {
        for (int f = 0; f < width; f++, text++) {
            const char *sign = *text ? strchr(signs[game], *text) : NULL;
            if (!sign) return fail("want %d rows of %d points, / between them, of the signs %s", height, width, signs[game]);
            if (*sign != '.') pieces[sign - signs[game]] |= (set)1 << (r * width + f);
        }
        if (*text++ != (r ? '/' : ' ')) return fail("want %d rows of %d points, / between them, and a blank", height, width);
    }
    for (*side = 0; *side < 2; ++*side)
        if (strcmp(text, sides[game][*side]) == 0) return 0;
    return fail("want the side to move, %s or %s", sides[game][0], sides[game][1]);
}

// probe finds the value of a position, and its distance, -1 where there is none.
static int probe(const char *text, int *value, int *distance) {
    set pieces[2];
    int side;
    struct place p = {0};
    if (parse(text, pieces, &side)) return -1;
    int none = game == FANORONA ? place_fanorona(pieces[side], pieces[1 - side], &p)
               : game == KONANE ? place_konane(pieces, side, &p)
                                : place_phutball(pieces[0], pieces[1], side, &p);
    if (none) return -1;
    *value = p.value;
    *distance = 0;
    if (p.over) return 0;
    if (p.index >= p.slice->indices) return fail("slice %s: its indices do not reach to %" PRIu64, p.slice->line[SLICE], p.index);
    uint64_t number = p.index / p.slice->per_block, i = p.index % p.slice->per_block;
    uint64_t left = p.slice->indices - number * p.slice->per_block - i / 4 * 4;  // a byte of wdl has 4 of these, or fewer
    const unsigned char *content = block(p.slice, number);
    if (!content) return -1;
    int depth = p.slice->dtw ? (int)number_at(content + 2 * i, 2) : content[i / 4] >> i % 4 * 2 & 3;
    int wrong = p.slice->dtw ? (!(depth & 3) && depth) || depth >> 2 > MAX_DISTANCE : left < 4 && content[i / 4] >> 2 * left;
    if ((*value = depth & 3) == 3 || wrong) return fail("slice %s: no value at %" PRIu64, p.slice->line[SLICE], p.index);
    *distance = p.slice->dtw && *value ? depth >> 2 : -1;
    return 0;
}

// ---- all together ----

static void set_up(const char *path, char *const line[LINES]) {
    for (game = 0; game < GAMES && strcmp(line[GAME], game_names[game]) != 0; game++) {}
    if (game == GAMES) die(line[GAME], "this reader does not know the game");
    char printed[32];
    sscanf(line[BOARD], "%6dx%6d", &width, &height);
    snprintf(printed, sizeof printed, "%dx%d", width, height);
    if (width < 1 || height < 1 || strcmp(line[BOARD], printed) != 0) die_of(path, BOARD);
    if (width > MAX_POINTS / height) die(path, "this reader knows boards of up to 64 points");
    points = width * height;
    all_points = points == 64 ? ~(set)0 : ((set)1 << points) - 1;
    for (int p = 0; p < points; p++) colours[(p % width + p / width) % 2] |= (set)1 << p;
    for (int n = 0; n <= MAX_POINTS; n++)
        for (int k = 0; k <= n; k++) choose[n][k] = k == 0 || k == n ? 1 : choose[n - 1][k - 1] + choose[n - 1][k];
    for (int exchanging = 0; exchanging < 2; exchanging++) {
        for (int i = 0; i < (width == height ? 8 : 4); i++) {
            struct map m;
            fill_map(&m, i & 1, i >> 1 & 1, i >> 2);
            if (((m.to[0] % width + m.to[0] / width) % 2 != 0) == exchanging) maps[map_count++] = m;
        }
        if (!exchanging) keeping_count = map_count;
    }
    fill_map(&mirror, 1, 0, 0);
    fill_map(&upend, 0, 1, 0);
}

// place_slice puts a slice where positions find it: the one with distances, if it is there in both metrics.
static void place_slice(const char *path, struct slice *s) {
    int own = 0, opp = 0;
    char printed[32] = "all";
    if (game != PHUTBALL) {
        sscanf(s->line[SLICE], "%3dv%3d", &own, &opp);
        snprintf(printed, sizeof printed, "%dv%d", own, opp);
    }
    if (strcmp(s->line[SLICE], printed) != 0 || own < 0 || opp < 0 || own + opp > points) die_of(path, SLICE);
    if (!slices[own][opp] || s->dtw) slices[own][opp] = s;
}

// is_table tells whether a name is SLICE.METRIC.flat. Other files mean nothing.
static int is_table(const char *name) {
    size_t length = strlen(name), suffix = strlen(".wdl.flat");
    const char *end = length < suffix ? "" : name + length - suffix;
    return strcmp(end, ".wdl.flat") == 0 || strcmp(end, ".dtw.flat") == 0;
}

static void open_folder(const char *folder) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    struct slice *first = NULL;
    if (!dir) die(folder, strerror(errno));
    while ((entry = readdir(dir))) {
        char path[4096], name[HEADER_BYTES + 16];
        if (!is_table(entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct slice *s = open_slice(path);
        snprintf(name, sizeof name, "%s.%s.flat", s->line[SLICE], s->line[METRIC]);
        if (strcmp(name, entry->d_name) != 0) die(path, "it has another name than its slice");
        if (!first) set_up(path, (first = s)->line);
        for (int i = GAME; i <= RULES; i++)
            if (strcmp(s->line[i], first->line[i]) != 0) die(path, "of another game, board or rules than the others");
        place_slice(path, s);
    }
    closedir(dir);
    if (!first) die(folder, "no flat tables there");
}

/* read_line reads a line without its end, LF or CR LF, and gives its length; what does not fit is dropped. It
   gives -1 where there is none. */
static long read_line(char *line, long size) {
    long length = 0;
    int c;
    while ((c = getc(stdin)) != EOF && c != '\n')
        if (length < size) line[length++] = (char)c;
    if (c == EOF && length == 0) return -1;
    if (length < size && length > 0 && line[length - 1] == '\r') length--;
    return length;
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    const long most = sizeof line - 1;
    long length;
    int status = 0, value, distance;
    if (argc != 2) die("usage", "probe DIR < positions");
    if (!(decompressor = ZSTD_createDCtx())) die("zstd", "no memory");
    open_folder(argv[1]);
    while ((length = read_line(line, most)) >= 0) {
        line[length] = 0;
        if (length == most) status = 1, puts("? the line is too long");
        else if (strlen(line) < (size_t)length) status = 1, puts("? the line has a character that is no text");
        else if (probe(line, &value, &distance) != 0) status = 1, printf("? %s\n", failure);
        else if (distance >= 0) printf("%s %d\n", values[value], distance);
        else puts(values[value]);
    }
    if (ferror(stdin)) die("standard input", strerror(errno));
    if (fflush(stdout) || ferror(stdout)) die("standard output", strerror(errno));
    return status;
}

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

enum { MAX_POINTS = 64, MAX_MAPS = 8, HEADER_BYTES = 4096, MAX_BLOCK = 1 << 16, KEPT_BLOCKS = 4096, FRAME_EXTRA = 1024 };
enum { FANORONA, KONANE, PHUTBALL, GAMES };
static const char *const game_names[GAMES] = {"fanorona", "konane", "phutball"};
static const char *const signs[GAMES] = {"WB.", "xo.", "*@."};
static const char *const sides[GAMES][2] = {{"w", "b"}, {"b", "w"}, {"ohs", "eks"}};
static const char *const values[3] = {"draw", "win", "loss"};

// ---- files ----

// A slice is one file. Its header and directory are checked, blocks when they are asked for.
struct slice {
    const unsigned char *file, *directory;
    uint64_t size, indices, per_block, blocks;
    int dtw;
    char name[64];
};

static struct slice *slices[MAX_POINTS + 1][MAX_POINTS + 1];  // by own pieces and the opponent's; Phutball's is [0][0]
static char about[HEADER_BYTES];                               // the first lines of all files: format, game, board, rules
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

// read_header reads the lines of a header. All files must be about the same.
static void read_header(const char *name, char *text, struct slice *s) {
    char metric[4], rest[2];
    char *end = strstr(text, "\nmetric ");
    if (strncmp(text, "paika flat 1\n", 13) != 0) die(name, "of another format: this reader knows format 1");
    int n = !end ? 0 : sscanf(end,
        "\nmetric %3s slice %63s indices %" SCNu64 " positions %*s wins %*s losses %*s draws %*s quiet %*s longest-win %*s "
        "longest-loss %*s fingerprint %*s block-indices %" SCNu64 " blocks %" SCNu64 "%1[\n]",
        metric, s->name, &s->indices, &s->per_block, &s->blocks, rest);
    s->dtw = n == 6 && strcmp(metric, "dtw") == 0;
    if (n != 6 || (!s->dtw && strcmp(metric, "wdl") != 0) || s->per_block == 0 ||
        s->per_block > MAX_BLOCK / 2 * (s->dtw ? 1 : 8) ||
        s->blocks != s->indices / s->per_block + (s->indices % s->per_block != 0))
        die(name, "the header is wrong");
    *end = 0;
    if (!about[0]) strcpy(about, text);
    if (strcmp(about, text) != 0) die(name, "of another game, board or rules than the others");
}

// open_slice maps a file and checks its header and directory.
static struct slice *open_slice(const char *name) {
    struct slice *s = calloc(1, sizeof *s);
    struct stat info;
    char head[HEADER_BYTES + 1] = {0};
    int fd = open(name, O_RDONLY | O_NONBLOCK);  // a pipe would keep one waiting
    if (!s || fd < 0 || fstat(fd, &info) != 0) die(name, strerror(errno));
    if (!S_ISREG(info.st_mode)) die(name, "it is no regular file");
    s->size = (uint64_t)info.st_size;
    s->file = s->size ? mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (s->file == MAP_FAILED) die(name, "it can't be mapped");
    size_t n = s->size < HEADER_BYTES ? s->size : HEADER_BYTES;
    memcpy(head, s->file, n);
    char *end = strstr(head, "\n\n");
    if (strncmp(head, "paika flat ", 11) != 0 || !end) die(name, "it is no flat table");
    end[2] = 0;
    read_header(name, head, s);
    uint64_t length = (uint64_t)(end - head) + 2;
    if (s->size - length < 4 || s->blocks > (s->size - length - 4) / 16) die(name, "it was cut short");
    s->directory = s->file + s->size - 4 - 16 * s->blocks;
    uint32_t crc = crc32(crc32(0, s->file, length), s->directory, 16 * s->blocks);
    if (crc != number_at(s->file + s->size - 4, 4)) die(name, "header and directory: the checksum is wrong");
    return s;
}

// Blocks that were asked for are kept, each in the one place that its number has.
static struct kept {
    const struct slice *slice;
    uint64_t block;
    unsigned char *content;
} kept[KEPT_BLOCKS];
static ZSTD_DCtx *decompressor;

// bytes_of is the size of so many values.
static uint64_t bytes_of(const struct slice *s, uint64_t n) { return s->dtw ? 2 * n : (n + 3) / 4; }

// block gives the values of a block, its checksum compared, or NULL.
static const unsigned char *block(const struct slice *s, uint64_t number) {
    struct kept *k = &kept[(number * 31 + (uintptr_t)s / sizeof *s * 977) % KEPT_BLOCKS];
    if (k->slice == s && k->block == number) return k->content;
    if (!k->content && !(k->content = malloc(MAX_BLOCK))) die(s->name, "no memory");
    k->slice = NULL;
    const unsigned char *entry = s->directory + 16 * number;
    uint64_t offset = number_at(entry, 8), length = number_at(entry + 8, 4);
    if (length > bytes_of(s, s->per_block) + FRAME_EXTRA) {
        fail("slice %s, block %" PRIu64 ": no block is as long", s->name, number);
        return NULL;
    }
    if (offset > s->size || length > s->size - offset || crc32(0, s->file + offset, length) != number_at(entry + 12, 4)) {
        fail("slice %s, block %" PRIu64 ": the checksum is wrong", s->name, number);
        return NULL;
    }
    uint64_t n = s->indices - number * s->per_block;
    if (n > s->per_block) n = s->per_block;
    if (ZSTD_decompressDCtx(decompressor, k->content, MAX_BLOCK, s->file + offset, length) != bytes_of(s, n)) {
        fail("slice %s, block %" PRIu64 ": it is not the values that it should be", s->name, number);
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
    if (p.index >= p.slice->indices) return fail("slice %s: its indices do not reach to %" PRIu64, p.slice->name, p.index);
    const unsigned char *content = block(p.slice, p.index / p.slice->per_block);
    uint64_t i = p.index % p.slice->per_block;
    if (!content) return -1;
    int depth = p.slice->dtw ? (int)number_at(content + 2 * i, 2) : content[i / 4] >> i % 4 * 2 & 3;
    if ((*value = depth & 3) == 3) return fail("slice %s: no value at %" PRIu64, p.slice->name, p.index);
    *distance = p.slice->dtw && *value ? depth >> 2 : -1;
    return 0;
}

// ---- all together ----

static void set_up(const char *folder) {
    char name[32];
    if (sscanf(about, "paika flat 1 game %31s board %dx%d", name, &width, &height) != 3) die(folder, "the headers are wrong");
    for (game = 0; game < GAMES && strcmp(name, game_names[game]) != 0; game++) {}
    if (game == GAMES) die(name, "this reader does not know the game");
    if (width < 1 || height < 1 || width > MAX_POINTS / height) die(folder, "this reader knows boards of up to 64 points");
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

static void open_folder(const char *folder) {
    DIR *dir = opendir(folder);
    struct dirent *entry;
    if (!dir) die(folder, strerror(errno));
    while ((entry = readdir(dir))) {
        char path[4096], *suffix = strrchr(entry->d_name, '.');
        if (!suffix || strcmp(suffix, ".flat") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        struct slice *s = open_slice(path);
        int own = 0, opp = 0;
        int two = sscanf(s->name, "%dv%d", &own, &opp) == 2 && own >= 0 && opp >= 0 && own <= MAX_POINTS && opp <= MAX_POINTS;
        if (!two && strcmp(s->name, "all") != 0) die(path, "this reader does not know the slice");
        if (!slices[own][opp] || s->dtw) slices[own][opp] = s;
    }
    closedir(dir);
    if (!about[0]) die(folder, "no flat tables there");
    set_up(folder);
}

int main(int argc, char **argv) {
    static char line[1 << 16];
    int status = 0, value, distance, inside = 0; /* a line too long for the buffer, answered already */
    if (argc != 2) die("usage", "probe DIR < positions");
    if (!(decompressor = ZSTD_createDCtx())) die("zstd", "no memory");
    open_folder(argv[1]);
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strcspn(line, "\n");
        int rest = inside;
        inside = line[length] != '\n' && length == sizeof line - 1;
        line[length] = 0;
        if (rest) continue;
        if (inside) status = 1, puts("? the line is too long");
        else if (probe(line, &value, &distance) != 0) status = 1, printf("? %s\n", failure);
        else if (distance >= 0) printf("%s %d\n", values[value], distance);
        else puts(values[value]);
    }
    if (ferror(stdin)) die("standard input", strerror(errno));
    if (fflush(stdout) || ferror(stdout)) die("standard output", strerror(errno));
    return status;
}

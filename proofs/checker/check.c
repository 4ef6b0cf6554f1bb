// check FILE: tells whether a certificate about Fanorona is valid, by the rules alone.
//
//     gcc -O2 -o check check.c -lzstd -lxxhash
//
// Written from proofs/FORMAT.md and the rules in bitboard/fanorona/doc.go, and from nothing
// else: no line is shared with the program that makes certificates. It knows no tables and
// no parts, so the certificate has to go on to the end of the game (paika complete).
//
// A set of points is one number: the point at file f and rank r, both from 0, is bit
// r * width + f. It takes 24 bytes of memory a position, 30 for a claim that a side
// wins, and reads the file three times: to see that it is whole, to gather the positions,
// and to follow their turns. Exit status: 0 valid, 1 not valid, 2 not checked.

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

typedef uint64_t set;

enum { WHITE, BLACK };
enum { MAX_POINTS = 60, MAX_LINE = 65535, MAX_WINDOW_LOG = 25, MAGIC = 4, SEAL = 16, SHOWN_FAULTS = 20 };
enum { MOST_TURNS = 1 << 20 };  // that "*" stands for
enum { NO_REPEAT, NO_REPEAT_OR_REVERSE, NEVER_TWICE };

struct position {
    set stones[2];  // of White and of Black
    int side;       // to move
};

static const char *name;  // of the file
static uint64_t line_number, faults;

// ---- what goes wrong ----

static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fprintf(stderr, "check: %s: ", name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    exit(2);
}

// fault tells what is wrong in the line at hand, and that the certificate is not valid.
static void fault(const char *format, ...) {
    if (faults++ < SHOWN_FAULTS) {
        va_list args;
        va_start(args, format);
        printf("%s: line %" PRIu64 ": ", name, line_number);
        vprintf(format, args);
        va_end(args);
        putchar('\n');
    }
}

// ---- the file ----

static int file;
static uint64_t file_size;  // without the seal

// read_at reads some bytes at a place of the file.
static void read_at(void *to, uint64_t n, uint64_t offset) {
    if (pread(file, to, n, (off_t)offset) != (ssize_t)n) die("cannot be read");
}

static void open_file(void) {
    struct stat about;
    file = open(name, O_RDONLY | O_NONBLOCK);  // a pipe would keep one waiting
    if (file < 0 || fstat(file, &about) < 0) die("cannot be read");
    if (!S_ISREG(about.st_mode)) die("is no regular file");
    if (about.st_size < SEAL) die("has no seal");
    file_size = (uint64_t)about.st_size - SEAL;
}

// A stream gives the lines of the file.
static struct {
    ZSTD_DCtx *zstd;
    XXH3_state_t *hash, *keyed;  // of what was read, and the same under a key
    uint64_t key, offset;        // offset of what is read next
    unsigned char bytes[1 << 17];
    ZSTD_inBuffer in;
    size_t more;  // what zstd says is missing of the frame at hand
    char text[1 << 20];
    size_t at, end;
} stream;

static void rewind_stream(void) {
    if (!stream.zstd) {
        stream.zstd = ZSTD_createDCtx(), stream.hash = XXH3_createState(), stream.keyed = XXH3_createState();
        if (!stream.zstd || !stream.hash || !stream.keyed) die("out of memory");
        if (getentropy(&stream.key, sizeof stream.key) != 0) die("there is no key");
    }
    XXH3_64bits_reset(stream.hash);
    XXH3_64bits_reset_withSeed(stream.keyed, stream.key);
    ZSTD_DCtx_reset(stream.zstd, ZSTD_reset_session_only);
    ZSTD_DCtx_setParameter(stream.zstd, ZSTD_d_windowLogMax, MAX_WINDOW_LOG);
    stream.in = (ZSTD_inBuffer){stream.bytes, 0, 0};
    stream.offset = stream.more = stream.at = stream.end = line_number = 0;
}

// end_stream wants what was read, to its end, to be sealed, and the same each time: two files of
// one seal are easily made.
static void end_stream(void) {
    static uint64_t sum;
    static int known;
    unsigned char seal[SEAL] = "\x50\x2a\x4d\x18\x08\0\0", there[SEAL];
    uint64_t hash = XXH3_64bits_digest(stream.hash), keyed = XXH3_64bits_digest(stream.keyed);
    for (int i = 0; i < 8; i++) seal[8 + i] = (unsigned char)(hash >> 8 * i);
    read_at(there, SEAL, file_size);
    if (memcmp(there, seal, 8) != 0) die("has no seal");
    if (memcmp(there, seal, SEAL) != 0) die("is not what was sealed");
    if (known && sum != keyed) die("has changed while it was read");
    sum = keyed, known = 1;
}

// take_in reads on behind what is left, if there is more of the file.
static void take_in(void) {
    size_t kept = stream.in.size - stream.in.pos, room = sizeof stream.bytes - kept;
    uint64_t left = file_size - stream.offset, n = left < room ? left : room;
    memmove(stream.bytes, stream.bytes + stream.in.pos, kept);
    read_at(stream.bytes + kept, n, stream.offset);
    XXH3_64bits_update(stream.hash, stream.bytes + kept, n);
    XXH3_64bits_update(stream.keyed, stream.bytes + kept, n);
    stream.offset += n;
    stream.in = (ZSTD_inBuffer){stream.bytes, kept + n, 0};
}

// begin_frame wants a frame next, and none that decompression skips.
static void begin_frame(void) {
    if (stream.in.size - stream.in.pos < MAGIC) die("ends within a frame");
    if (memcmp(stream.bytes + stream.in.pos, "\x28\xb5\x2f\xfd", MAGIC) != 0) die("has something else than frames of zstd before its seal");
}

// fill decompresses more text behind what is left, and tells whether there was any.
static int fill(void) {
    memmove(stream.text, stream.text + stream.at, stream.end - stream.at);
    stream.end -= stream.at;
    stream.at = 0;
    size_t before = stream.end;
    while (stream.end == before && stream.end < sizeof stream.text) {
        if (stream.in.size - stream.in.pos < MAGIC) take_in();
        if (stream.in.pos == stream.in.size && stream.more == 0) break;
        if (stream.more == 0) begin_frame();
        ZSTD_outBuffer out = {stream.text, sizeof stream.text, stream.end};
        size_t read = stream.in.pos;
        stream.more = ZSTD_decompressStream(stream.zstd, &out, &stream.in);
        if (ZSTD_isError(stream.more)) die("%s", ZSTD_getErrorName(stream.more));
        if (out.pos == stream.end && stream.in.pos == read && stream.more != 0) die("ends within a frame");
        stream.end = out.pos;
    }
    return stream.end > before;
}

// next_line gives the next line, without its end, or NULL at the end of the stream. It
// stands until the next call.
static char *next_line(void) {
    for (size_t searched = 0;;) {
        char *begin = stream.text + stream.at;
        char *end = memchr(begin + searched, '\n', stream.end - stream.at - searched);
        if (end) {
            line_number++;
            if (end - begin > MAX_LINE) die("line %" PRIu64 " is too long", line_number);
            stream.at += end - begin + 1;
            *end = 0;
            for (char *c = begin; c < end; c++)
                if ((*c < ' ' && *c != '\t') || *c > '~') die("line %" PRIu64 " is not plain text", line_number);
            return begin;
        }
        searched = stream.end - stream.at;
        if (searched > MAX_LINE) die("line %" PRIu64 " is too long", line_number + 1);
        if (!fill()) {
            if (stream.end > stream.at) die("the last line has no end");
            return NULL;
        }
    }
}

// ---- the board ----

static int width, height, points;
static int rule_stalemate_draw, rule_directions;
static signed char neighbour[MAX_POINTS][8];  // by direction, or -1
static const int files[8] = {1, 1, 0, -1, -1, -1, 0, 1}, ranks[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static set bit(int point) { return (set)1 << point; }
static int opposite(int direction) { return (direction + 4) % 8; }

static void lay_out(void) {
    points = width * height;
    for (int p = 0; p < points; p++)
        for (int d = 0; d < 8; d++) {
            int f = p % width + files[d], r = p / width + ranks[d];
            int diagonal = files[d] != 0 && ranks[d] != 0, strong = (p % width + p / width) % 2 == 0;
            int joined = f >= 0 && f < width && r >= 0 && r < height && (!diagonal || strong);
            neighbour[p][d] = joined ? r * width + f : -1;
        }
}

// read_position reads one, and gives what stands behind it, or NULL.
static const char *read_position(const char *s, struct position *p) {
    *p = (struct position){{0, 0}, 0};
    for (int r = height - 1; r >= 0; r--) {
        for (int f = 0; f < width; f++, s++) {
            if (*s == 'W') p->stones[WHITE] |= bit(r * width + f);
            else if (*s == 'B') p->stones[BLACK] |= bit(r * width + f);
            else if (*s != '.') return NULL;
        }
        if (*s++ != (r > 0 ? '/' : ' ')) return NULL;
    }
    if (*s != 'w' && *s != 'b') return NULL;
    p->side = *s == 'w' ? WHITE : BLACK;
    return p->stones[WHITE] | p->stones[BLACK] ? s + 1 : NULL;
}

// ---- the rules ----

// run is the enemy stones in one line, from the neighbour of a point on, without a gap.
static set run(set enemy, int point, int direction) {
    set taken = 0;
    for (int q = neighbour[point][direction]; q >= 0 && enemy & bit(q); q = neighbour[q][direction]) taken |= bit(q);
    return taken;
}

// takes is what a step captures by approach (letter A) or by withdrawal (W).
static set takes(const struct position *p, int from, int direction, char letter) {
    set enemy = p->stones[!p->side];
    return letter == 'A' ? run(enemy, neighbour[from][direction], direction) : run(enemy, from, opposite(direction));
}

// enters tells whether a step leads to an empty point.
static int enters(const struct position *p, int from, int direction) {
    int to = neighbour[from][direction];
    return to >= 0 && !((p->stones[WHITE] | p->stones[BLACK]) & bit(to));
}

// stepped is the position after a step, with the same side to move.
static struct position stepped(struct position p, int from, int direction, set taken) {
    p.stones[p.side] ^= bit(from) | bit(neighbour[from][direction]);
    p.stones[!p.side] &= ~taken;
    return p;
}

// passed is a position with the other side to move.
static struct position passed(struct position p) {
    p.side = !p.side;
    return p;
}

// A chain is the steps of a turn up to here.
struct chain {
    int stone;        // where it stands
    set entered;      // and the point where the turn began
    int last;         // direction of the step before, or -1
    unsigned before;  // all directions so far
};

static int barred(const struct chain *c, int direction) {
    if (c->last < 0) return 0;
    if (rule_directions == NEVER_TWICE) return c->before >> direction & 1;
    return direction == c->last || (rule_directions == NO_REPEAT_OR_REVERSE && direction == opposite(c->last));
}

// may_go tells whether a chain may go on, or begin, in a direction, captures aside.
static int may_go(const struct position *p, const struct chain *c, int direction) {
    return !barred(c, direction) && enters(p, c->stone, direction) && !(c->entered & bit(neighbour[c->stone][direction]));
}

static struct chain begun(int stone) { return (struct chain){stone, bit(stone), -1, 0}; }

static struct chain gone(struct chain c, int direction) {
    c.stone = neighbour[c.stone][direction];
    c.entered |= bit(c.stone);
    c.last = direction;
    c.before |= 1u << direction;
    return c;
}

// A turn leads to a position with the other side to move.
typedef void visitor(const struct position *p);

static int turns;  // visited so far, at most one more than MOST_TURNS

// captures visits what all ways to go on with a chain lead to, and counts them.
static void captures(const struct position *p, const struct chain *c, visitor *visit) {
    for (int d = 0; d < 8; d++) {
        if (!may_go(p, c, d)) continue;
        for (const char *letter = "AW"; *letter && turns <= MOST_TURNS; letter++) {
            set taken = takes(p, c->stone, d, *letter);
            if (!taken) continue;
            struct position after = stepped(*p, c->stone, d, taken), turned = passed(after);
            struct chain longer = gone(*c, d);
            turns++;
            visit(&turned);
            captures(&after, &longer, visit);
        }
    }
}

static int can_capture(const struct position *p) {
    for (set left = p->stones[p->side]; left; left &= left - 1) {
        int from = __builtin_ctzll(left);
        for (int d = 0; d < 8; d++)
            if (enters(p, from, d) && (takes(p, from, d, 'A') || takes(p, from, d, 'W'))) return 1;
    }
    return 0;
}

// all_turns visits what all turns lead to, and tells whether they are not too many.
static int all_turns(const struct position *p, visitor *visit) {
    turns = 0;
    for (set left = p->stones[p->side]; left; left &= left - 1) {
        struct chain c = begun(__builtin_ctzll(left));
        captures(p, &c, visit);
    }
    if (turns > 0) return turns <= MOST_TURNS;
    for (set left = p->stones[p->side]; left; left &= left - 1) {
        int from = __builtin_ctzll(left);
        for (int d = 0; d < 8; d++) {
            if (!enters(p, from, d)) continue;
            struct position after = passed(stepped(*p, from, d, 0));
            visit(&after);
        }
    }
    return 1;
}

// has_turn tells whether the game goes on.
static int has_turn(const struct position *p) {
    if (!p->stones[!p->side]) return 0;  // the other side has lost
    for (set left = p->stones[p->side]; left; left &= left - 1)
        for (int d = 0; d < 8; d++)
            if (enters(p, __builtin_ctzll(left), d)) return 1;
    return 0;  // every turn begins with a step to an empty point
}

// winner is who has won where the game is over, or -1 for a draw.
static int winner(const struct position *p) {
    if (!p->stones[!p->side]) return p->side;
    if (p->stones[p->side] && rule_stalemate_draw) return -1;
    return !p->side;
}

static int read_point(const char *s) {
    int f = s[0] - 'a', r = s[0] ? s[1] - '1' : -1;
    return f >= 0 && f < width && r >= 0 && r < height ? r * width + f : -1;
}

// play makes the turn that is written, and tells whether it is legal.
static int play(const struct position *p, const char *s, struct position *to) {
    int from = read_point(s);
    if (from < 0 || !(p->stones[p->side] & bit(from))) return 0;
    struct chain c = begun(from);
    *to = *p;
    for (s += 2; *s; ) {
        int point = *s == '-' ? read_point(s + 1) : -1, direction = 0;
        if (point < 0) return 0;
        s += 3;
        while (direction < 8 && neighbour[c.stone][direction] != point) direction++;
        if (direction == 8 || !may_go(to, &c, direction)) return 0;
        if (*s != 'A' && *s != 'W') {  // a paika: one step, where nothing can be captured
            if (c.last >= 0 || *s || can_capture(p)) return 0;
            *to = passed(stepped(*to, from, direction, 0));
            return 1;
        }
        set taken = takes(to, c.stone, direction, *s++);
        if (!taken) return 0;
        *to = stepped(*to, c.stone, direction, taken);
        c = gone(c, direction);
    }
    *to = passed(*to);
    return c.last >= 0;
}

// ---- the header ----

static int claimant, claims_win;
static struct position root;
enum { VALUE = 256 };  // room for a value of the header
static char claim[VALUE], root_text[VALUE];

// read_string reads a JSON string that needs no escapes.
static const char *read_string(const char *s, char *to, size_t room) {
    if (*s++ != '"') return NULL;
    size_t n = 0;
    for (; *s && *s != '"'; s++) {
        if (*s == '\\' || n + 1 == room) return NULL;
        to[n++] = *s;
    }
    to[n] = 0;
    return *s ? s + 1 : NULL;
}

static void read_board(const char *s) {
    if (strlen(s) == 3 && s[1] == 'x') width = s[0] - '0', height = s[2] - '0';
    if (width < 3 || width > 9 || height < 3 || height > 9 || width * height > MAX_POINTS) die("unknown board \"%s\"", s);
    lay_out();
}

static void read_rules(const char *s) {
    static const char *const stalemates[] = {"stalemate=loss,", "stalemate=draw,"};
    static const char *const directions[] = {"direction-rule=no-repeat", "direction-rule=no-repeat-or-reverse", "direction-rule=never-twice"};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            size_t n = strlen(stalemates[i]);
            if (strncmp(s, stalemates[i], n) == 0 && strcmp(s + n, directions[j]) == 0) {
                rule_stalemate_draw = i, rule_directions = j;
                return;
            }
        }
    die("unknown rules \"%s\"", s);
}

static void read_claim(const char *s) {
    static const char *const claims[] = {"white-not-lost", "white-wins", "black-not-lost", "black-wins"};
    for (int i = 0; i < 4; i++)
        if (strcmp(s, claims[i]) == 0) {
            claimant = i < 2 ? WHITE : BLACK, claims_win = i % 2;
            return;
        }
    die("unknown claim \"%s\"", s);
}

static void read_header(const char *s) {
    enum { FORMAT, GAME, BOARD, RULES, CLAIM, ROOT, TABLES, PARTS, KEYS };
    static const char *const keys[KEYS] = {"format", "game", "board", "rules", "claim", "root", "tables", "parts"};
    char key[16], values[KEYS][VALUE] = {{0}};
    unsigned found = 0;
    if (!s || *s != '{') die("the header is no JSON object");
    do {
        int k = 0;
        s = read_string(s + 1, key, sizeof key);
        if (!s || *s != ':') die("the header cannot be read");
        while (k < KEYS && strcmp(key, keys[k]) != 0) k++;
        if (k == KEYS || found >> k & 1) die("the header has a key \"%s\" too many", key);
        found |= 1u << k;
        s++;
        if (k == FORMAT) {
            if (*s != '1') die("format is not 1");
            s++;
        } else if (k == TABLES || k == PARTS) {
            if (strncmp(s, "[]", 2) != 0) die("it rests on %s, of which this checker knows none", key);
            s += 2;
        } else if (!(s = read_string(s, values[k], sizeof values[k]))) {
            die("the header's %s cannot be read", key);
        }
    } while (*s == ',');
    if (strcmp(s, "}") != 0) die("the header does not end as a JSON object");
    if ((found | 1u << PARTS) != (1u << KEYS) - 1) die("a key of the header is missing");
    if (strcmp(values[GAME], "fanorona") != 0) die("the game is %s: this checker knows fanorona alone", values[GAME]);
    read_board(values[BOARD]);
    read_rules(values[RULES]);
    read_claim(values[CLAIM]);
    const char *end = read_position(values[ROOT], &root);
    if (!end || *end) die("the root is no position");
    memcpy(claim, values[CLAIM], VALUE);
    memcpy(root_text, values[ROOT], VALUE);
}

// ---- the positions of all records ----

// The side to move is the highest bit of Black's stones. A slot is free if both are 0.
struct slot {
    set white, black;
};

static struct slot *slots;
static uint32_t *slot_ranks;  // where a side wins
static uint64_t slot_count;

static struct slot packed(const struct position *p) {
    return (struct slot){p->stones[WHITE], p->stones[BLACK] | (set)p->side << 63};
}

// place is the slot of a position, or the free one where it belongs.
static uint64_t place(const struct position *p) {
    struct slot s = packed(p);
    set h = (s.white ^ s.white >> 29) * 0x9e3779b97f4a7c15 ^ (s.black ^ s.black >> 31) * 0xc2b2ae3d27d4eb4f;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93;
    uint64_t at = (unsigned __int128)h * slot_count >> 64;
    while ((slots[at].white | slots[at].black) && (slots[at].white != s.white || slots[at].black != s.black))
        at = at + 1 < slot_count ? at + 1 : 0;
    return at;
}

static int member(uint64_t at) { return (slots[at].white | slots[at].black) != 0; }

static void make_room(uint64_t records) {
    if (records > (UINT64_MAX >> 5) / 3) die("too many records");
    slot_count = records + records / 2 + 2;
    slots = calloc(slot_count, sizeof *slots);
    slot_ranks = claims_win ? calloc(slot_count, sizeof *slot_ranks) : NULL;
    if (!slots || (claims_win && !slot_ranks)) die("no memory for %" PRIu64 " positions", records);
}

// ---- the records ----

struct record {
    struct position position;
    char *turn;
    uint32_t rank;
};

// read_rank reads digits up to the end of the text, below 2^32.
static int read_rank(const char *s, uint32_t *rank) {
    uint64_t n = 0;
    if (!*s) return 0;
    for (; *s; s++) {
        if (*s < '0' || *s > '9') return 0;
        n = n * 10 + (uint64_t)(*s - '0');
        if (n > UINT32_MAX) return 0;
    }
    *rank = (uint32_t)n;
    return 1;
}

// read_record takes a line apart, and tells whether it is a record.
static int read_record(char *line, struct record *r) {
    const char *end = read_position(line, &r->position);
    if (!end || *end != '\t') return 0;
    r->turn = line + (end - line) + 1;
    r->rank = 0;
    char *tab = strchr(r->turn, '\t');
    if (!claims_win) return !tab;
    if (!tab || !read_rank(tab + 1, &r->rank)) return 0;
    *tab = 0;
    return 1;
}

// count reads the whole stream, and gives the number of records.
static uint64_t count(void) {
    char *line, last[32];
    uint64_t records = 0;
    rewind_stream();
    read_header(next_line());
    while ((line = next_line()) && strncmp(line, "end\t", 4) != 0) records++;
    if (!line) die("the line \"end\" is missing");
    snprintf(last, sizeof last, "end\t%" PRIu64, records);
    if (strcmp(line, last) != 0) die("there are %" PRIu64 " records, and not %s", records, line + 4);
    if (next_line()) die("something follows the line \"end\"");
    end_stream();
    return records;
}

static void gather(const struct record *r);

// each gives all records, one after the other. What is none is told the first time, to gather.
static void each(uint64_t records, void (*visit)(const struct record *)) {
    rewind_stream();
    next_line();
    for (; records > 0; records--) {
        struct record r;
        char *line = next_line();
        if (!line) die("has changed while it was read");
        if (read_record(line, &r)) visit(&r);
        else if (visit == gather) fault("this is no record");
    }
    if (!next_line() || next_line()) die("has changed while it was read");
    end_stream();
}

static void gather(const struct record *r) {
    uint64_t at = place(&r->position);
    if (member(at)) {
        fault("the position stands in another record, too");
        return;
    }
    if (!has_turn(&r->position)) fault("the game is over there");
    slots[at] = packed(&r->position);
    if (claims_win) slot_ranks[at] = r->rank;
}

// ---- what follows ----

static uint64_t below;  // the rank that must not be reached

// holds faults a position that neither belongs to the set nor ends the game as claimed.
static void holds(const struct position *q) {
    uint64_t at = place(q);
    if (member(at)) {
        if (claims_win && slot_ranks[at] >= below) fault("a turn leads to rank %" PRIu32, slot_ranks[at]);
        return;
    }
    if (has_turn(q)) {
        fault("a turn leads out of the set");
        return;
    }
    int won = winner(q);
    if (won != claimant && (won >= 0 || claims_win)) fault("a turn ends the game otherwise than claimed");
}

static void follow(const struct record *r) {
    below = r->rank;
    if (r->position.side != claimant) {
        if (strcmp(r->turn, "*") != 0) fault("want * for all turns");
        else if (!all_turns(&r->position, holds)) fault("the position has more than %d turns", MOST_TURNS);
        return;
    }
    struct position to;
    if (play(&r->position, r->turn, &to)) holds(&to);
    else fault("%s is no turn there", r->turn);
}

// is_start tells whether the root is the game's start.
static int is_start(void) {
    if (width % 2 == 0 || height % 2 == 0 || root.side != WHITE) return 0;
    set stones[2] = {0, 0};
    for (int p = 0; p < points; p++) {
        int f = p % width, r = p / width, from_edge = f < width / 2 ? f : width - 1 - f;
        int colour = r < height / 2 ? WHITE : BLACK;
        if (r == height / 2) colour = (from_edge % 2 == 0) == (f < width / 2) ? BLACK : WHITE;
        if (r != height / 2 || f != width / 2) stones[colour] |= bit(p);
    }
    return root.stones[WHITE] == stones[WHITE] && root.stones[BLACK] == stones[BLACK];
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: check FILE\n");
        return 2;
    }
    name = argv[1];
    open_file();
    uint64_t records = count();
    make_room(records);
    each(records, gather);
    each(records, follow);
    line_number = 1;
    below = UINT64_MAX;
    holds(&root);
    const char *start = is_start() ? ", the start position" : "";
    printf("%s: %s from %s%s: %s, %" PRIu64 " positions", name, claim, root_text, start, faults ? "not valid" : "valid", records);
    printf(faults ? ", %" PRIu64 " faults\n" : "\n", faults);
    name = "standard output";
    if (fflush(stdout) || ferror(stdout)) die("cannot be written");
    return faults ? 1 : 0;
}

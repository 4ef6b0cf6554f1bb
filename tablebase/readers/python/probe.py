#!/usr/bin/env python3
"""probe DIR: reads a position a line, and prints its value by flat tables.

The format and the index functions are specified in tablebase/FORMAT.md. Needs Python
3.10 and zstandard. Use as a module: Tables(DIR).probe(TEXT) gives a value and a distance.
"""

import functools
import mmap
import os
import re
import stat
import struct
import sys
import zlib
from math import comb

import zstandard

VALUES = ("draw", "win", "loss")
HEADER_BYTES = 4096
KEYS = (
    "paika flat", "game", "board", "rules", "metric", "slice", "indices", "positions", "wins", "losses", "draws", "quiet",
    "longest-win", "longest-loss", "fingerprint", "block-indices", "blocks",
)
NUMBER = "(0|[1-9][0-9]*)"
BLOCK_INDICES = {"wdl": 1 << 16, "dtw": 1 << 14}
MOST_INDICES = (1 << 48) - 1
MOST_DISTANCE = (1 << 13) - 1
MOST_WINDOW = 1 << 17  # bytes that a frame needs
FRAME_EXTRA = 1 << 10  # bytes that a frame may have more than a full block
KEPT_BLOCKS = 4096  # of all files together
MOST_SETS = 1 << 24  # of which classes are found
MOST_POINTS = 1 << 10


class Failure(Exception):
    """Why there is no answer."""


# ---- files ----


def parse_header(text):
    """What stands behind each key. Raises ValueError where the lines are others, or not in this order."""
    lines = text.decode("ascii").split("\n")
    if len(lines) != len(KEYS):
        raise ValueError(f"{len(lines)} lines, want {len(KEYS)}")
    header = {}
    for key, line in zip(KEYS, lines):
        if not line.startswith(key + " ") or not line.isprintable():
            raise ValueError(f"{line!r}, want {key}")
        header[key] = line[len(key) + 1:]

    def number(key, least=0, most=(1 << 64) - 1):
        if not re.fullmatch(NUMBER, header[key]) or not least <= int(header[key]) <= most:
            raise ValueError(f"{key} {header[key]!r}")
        return int(header[key])

    per = BLOCK_INDICES.get(header["metric"])
    if not per:
        raise ValueError(f"metric {header['metric']!r}")
    blocks = -(-number("indices", 1, MOST_INDICES) // per)
    number("block-indices", per, per)
    number("blocks", blocks, blocks)
    number("quiet")
    if number("wins") + number("losses") + number("draws") != number("positions"):
        raise ValueError("positions are not wins, losses and draws together")
    for key in ("longest-win", "longest-loss"):
        if header[key] != "-":
            number(key, most=MOST_DISTANCE if header["metric"] == "dtw" else -1)
    if not re.fullmatch("[0-9a-f]{64}", header["fingerprint"]):
        raise ValueError(f"fingerprint {header['fingerprint']!r}")
    return header


def check_frame(frame, size):
    """Wants one frame that tells so many bytes of content, and has a window that is not too large."""
    told = zstandard.get_frame_parameters(frame)
    if not frame.startswith(zstandard.FRAME_HEADER) or told.content_size != size:
        raise Failure(f"not a frame that tells of {size} bytes")
    if told.window_size > MOST_WINDOW:
        raise Failure(f"a frame with a window of {told.window_size} bytes")
    end, last = zstandard.frame_header_size(frame), 0
    while not last and end < len(frame):  # the parts of a frame, called blocks there, have three bytes in front
        head = int.from_bytes(frame[end: end + 3], "little")
        last, repeated, length = head & 1, head >> 1 & 3 == 1, head >> 3
        end += 3 + (1 if repeated else length)
    if end + 4 * told.has_checksum != len(frame):
        raise Failure("not one frame alone")


class Slice:
    """One file: header and directory checked, blocks when they are asked for.

    A file may be a stranger's. What is made as large as it says is a block, and its texts are
    shown quoted.
    """

    kept = {}  # blocks, by slice and number
    decompressor = zstandard.ZstdDecompressor()

    def __init__(self, path):
        if not stat.S_ISREG(os.stat(path).st_mode):  # opening a pipe may take for ever
            raise Failure(f"{path!r}: it is no regular file")
        if os.stat(path).st_size == 0:
            raise Failure(f"{path!r}: it is no flat table")
        with open(path, "rb") as file:
            self.file = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        head = self.file[:HEADER_BYTES]
        length = head.find(b"\n\n") + 2
        if not head.startswith(b"paika flat ") or length < 2:
            raise Failure(f"{path!r}: it is no flat table")
        if not head.startswith(b"paika flat 1\n"):
            raise Failure(f"{path!r}: of another format: this reader knows format 1")
        try:
            header = parse_header(head[: length - 2])
        except ValueError as err:
            raise Failure(f"{path!r}: the header is wrong: {err}") from err
        self.path, self.name, self.metric = path, header["slice"], header["metric"]
        self.about = tuple(header[key] for key in ("game", "board", "rules"))
        self.indices, self.per_block, blocks = (int(header[key]) for key in ("indices", "block-indices", "blocks"))
        if os.path.basename(path) != f"{self.name}.{self.metric}.flat":
            raise Failure(f"{path!r}: it has another name than its slice")
        self.directory = len(self.file) - 16 * blocks - 4
        if self.directory < length:
            raise Failure(f"{path!r}: it was cut short")
        self.check_directory(head[:length])

    def check_directory(self, header):
        """Wants blocks one behind the other, from the header up to the directory."""
        at, most = len(header), self.bytes_of(self.per_block) + FRAME_EXTRA
        with memoryview(self.file) as file, file[self.directory: -4] as directory:
            crc = zlib.crc32(directory, zlib.crc32(header))
            for offset, length, _ in struct.iter_unpack("<QII", directory):
                at = at + length if offset == at and length <= most else -1  # where no block begins
        if crc != int.from_bytes(self.file[-4:], "little"):
            raise Failure(f"{self.path!r}: header and directory: the checksum is wrong")
        if at != self.directory:
            raise Failure(f"{self.path!r}: the directory does not fit the file")

    def block(self, number):
        """The values of a block, its checksum compared."""
        offset, length, crc = struct.unpack_from("<QII", self.file, self.directory + 16 * number)
        frame = self.file[offset: offset + length]
        if zlib.crc32(frame) != crc:
            raise Failure(f"{self.path!r}: block {number}: the checksum is wrong")
        size = self.bytes_of(min(self.per_block, self.indices - number * self.per_block))
        try:
            check_frame(frame, size)
            return self.decompressor.decompress(frame)
        except (Failure, zstandard.ZstdError) as err:
            raise Failure(f"{self.path!r}: block {number}: {err}") from err

    def bytes_of(self, indices):
        """The size of so many values."""
        return 2 * indices if self.metric == "dtw" else (indices + 3) // 4

    def at(self, index):
        """Value and distance at an index; the distance is None in draws and without dtw."""
        if index >= self.indices:
            raise Failure(f"{self.path!r}: {self.indices} indices do not reach to {index}")
        number, i = divmod(index, self.per_block)
        content = self.kept.get((self, number))
        if content is None:
            if len(self.kept) >= KEPT_BLOCKS:
                self.kept.clear()
            content = self.kept[self, number] = self.block(number)
        dtw = self.metric == "dtw"
        depth = content[2 * i] | content[2 * i + 1] << 8 if dtw else content[i >> 2] >> (i & 3) * 2 & 3
        left = self.indices - (index & ~3)  # a byte of wdl has 4 of these, or fewer
        wrong = depth & 3 == 0 < depth or depth >> 2 > MOST_DISTANCE if dtw else left < 4 and content[i >> 2] >> 2 * left
        if depth & 3 == 3 or wrong:
            raise Failure(f"{self.path!r}: no value at {index}")
        return VALUES[depth & 3], depth >> 2 if dtw and depth & 3 else None


# ---- sets of points: bits of a number, by the points' numbers ----


def bits(points):
    """The points of a set, rising."""
    while points:
        low = points & -points
        yield low.bit_length() - 1
        points ^= low


def rank_of(points, below):
    """The rank of a set, given for each point how many points that count are below it."""
    return sum(comb(below[p], k) for k, p in enumerate(bits(points), 1))


@functools.lru_cache(1 << 16)
def numbering(points):
    """For each point, how many of a set are below."""
    return [(points & (1 << p) - 1).bit_count() for p in range(points.bit_length() + 1)]


def subsets(points, k):
    """The sets of k of these points, in the order of their ranks."""
    places = list(bits(points))
    chosen = list(range(k))  # rising, by their numbers among the places
    while k <= len(places):
        yield sum(1 << places[i] for i in chosen)
        for i in range(k):  # the lowest that can go up does, and those below begin again
            if chosen[i] + 1 < (chosen[i + 1] if i + 1 < k else len(places)):
                break
        else:
            return
        chosen[: i + 1] = [*range(i), chosen[i] + 1]


class Map:
    """A map of the board onto itself, of sets too: by byte of the set, the images of its points."""

    def __init__(self, to):
        self.to = to
        self.bytes = []
        for first in range(0, len(to), 8):
            images = [0]
            for p in to[first: first + 8]:
                images += [image | 1 << p for image in images]
            self.bytes.append(images)

    def image(self, points):
        image = 0
        for images in self.bytes:
            image |= images[points & 255]
            points >>= 8
        return image


def maps(width, height):
    """All maps of the board onto itself, the identity first."""
    found = []
    for exchange in (False, True) if width == height else (False,):
        for up in (False, True):
            for left in (False, True):
                to = []
                for p in range(width * height):
                    f, r = p % width, p // width
                    f, r = width - 1 - f if left else f, height - 1 - r if up else r
                    f, r = (r, f) if exchange else (f, r)
                    to.append(r * width + f)
                if to not in [m.to for m in found]:
                    found.append(Map(to))
    return tuple(found)


@functools.cache
class Classes:
    """The classes of the sets of k points out of some that symmetries take to each other."""

    def __init__(self, points, k, symmetries):
        if comb(points.bit_count(), k) > MOST_SETS:
            raise Failure(f"{k} pieces of either side are too many for this reader")
        self.below, self.symmetries = numbering(points), symmetries
        self.numbers, self.found = {}, {}
        for lead in subsets(points, k):
            rank = rank_of(lead, self.below)
            if all(rank <= rank_of(m.image(lead), self.below) for m in symmetries):
                self.numbers[lead] = len(self.numbers)

    def find(self, lead, moving):
        """The representative of a set, its class, and those of the maps that take the set there."""
        key = lead, moving is self.symmetries
        if key not in self.found:
            images = [m.image(lead) for m in moving]
            least = min(images, key=lambda image: rank_of(image, self.below))
            self.found[key] = least, self.numbers[least], [m for m, image in zip(moving, images) if image == least]
        return self.found[key]


# ---- games: from own pieces and the opponent's to a slice and, where that is there, an index ----


class Game:
    signs, sides = "WB.", ("w", "b")

    def __init__(self, width, height):
        self.width, self.height, self.points = width, height, width * height
        self.all = (1 << self.points) - 1

    def names(self, name):
        """Whether a name is that of a slice: of so many own pieces and of the opponent's."""
        sides = re.fullmatch(f"{NUMBER}v{NUMBER}", name)
        return sides and int(sides[1]) + int(sides[2]) <= self.points

    def parse(self, text):
        """The sets of the pieces of each sign but the empty one, and the number of the side to move."""
        drawn, _, side = text.partition(" ")
        rows = drawn.split("/")
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise Failure(f"want {self.height} rows of {self.width} points, / between them")
        if side not in self.sides:
            raise Failure(f"want a blank and the side to move, {self.sides[0]} or {self.sides[1]}")
        sets = [0, 0]
        points = "".join(reversed(rows))
        for p, sign in enumerate(points):
            if sign not in self.signs:
                raise Failure(f"unknown sign {sign!r}: want one of {self.signs}")
            if sign != ".":
                sets[self.signs.index(sign)] |= 1 << p
        return sets, self.sides.index(side)


class Fanorona(Game):
    def __init__(self, width, height):
        super().__init__(width, height)
        self.symmetries = tuple(m for m in maps(width, height) if (m.to[0] % width + m.to[0] // width) % 2 == 0)

    def place(self, text):
        sets, side = self.parse(text)
        own, opp = sets[side], sets[1 - side]
        if not own or not opp:
            if not own and not opp:
                raise Failure("no stones")
            return None, "win" if own else "loss"
        return f"{own.bit_count()}v{opp.bit_count()}", lambda: self.index(own, opp)

    def index(self, own, opp):
        a, b = own.bit_count(), opp.bit_count()
        lead, trail, k, m = (own, opp, a, b) if a <= b else (opp, own, b, a)
        least, number, moving = Classes(self.all, k, self.symmetries).find(lead, self.symmetries)
        free = numbering(self.all & ~least)
        rank = min(rank_of(s.image(trail), free) for s in moving)
        return number * comb(self.points - k, m) + rank


class Konane(Game):
    signs, sides = "xo.", ("b", "w")

    def __init__(self, width, height):
        super().__init__(width, height)
        self.colours = [sum(1 << p for p in range(self.points) if (p % width + p // width) % 2 == c) for c in (0, 1)]
        self.below = [numbering(c) for c in self.colours]
        found = maps(width, height)
        self.keeping = tuple(m for m in found if self.colours[0] >> m.to[0] & 1)
        self.exchanging = tuple(m for m in found if m not in self.keeping)

    def place(self, text):
        sets, side = self.parse(text)
        if sets[0] & ~self.colours[0] or sets[1] & ~self.colours[1]:
            raise Failure("a stone stands on a point of the other colour")
        own, opp = sets[side], sets[1 - side]
        mover = side if own or opp else 0
        return f"{own.bit_count()}v{opp.bit_count()}", lambda: self.index(own, opp, mover)

    def index(self, own, opp, mover):
        a, b = own.bit_count(), opp.bit_count()
        lead, trail, leader = (own, opp, mover) if a <= b else (opp, own, 1 - mover)
        k, m = min(a, b), max(a, b)
        moving, base = self.keeping, 0
        if mover == 1 and self.exchanging:
            moving, leader = self.exchanging, 1 - leader
        elif mover == 1:  # behind those with Black to move
            black = self.sets_of(1 - leader, k)
            base = len(black.numbers) * comb(self.colours[leader].bit_count(), m)
        _, number, moving = self.sets_of(leader, k).find(lead, moving)
        rank = min(rank_of(s.image(trail), self.below[1 - leader]) for s in moving)
        return base + number * comb(self.colours[1 - leader].bit_count(), m) + rank

    def sets_of(self, colour, k):
        return Classes(self.colours[colour], k, self.keeping)


class Phutball(Game):
    signs, sides = "*@.", ("ohs", "eks")

    def __init__(self, width, height):
        super().__init__(width, height)
        self.upend = Map([(height - 1 - p // width) * width + p % width for p in range(self.points)])
        self.mirror = Map([p - p % width + width - 1 - p % width for p in range(self.points)])

    def names(self, name):
        return name == "all"

    def place(self, text):
        (men, ball), side = self.parse(text)
        if ball.bit_count() != 1:
            raise Failure("want one ball, on the board")
        if side == 1:
            men, ball = self.upend.image(men), self.upend.image(ball)
        at = ball.bit_length() - 1
        if at % self.width > self.width - 1 - at % self.width:
            men, at = self.mirror.image(men), self.mirror.to[at]
        f, r = at % self.width, at // self.width
        if r in (0, self.height - 1):
            return None, "win" if r else "loss"
        number = self.squeeze(men, at)
        if 2 * f == self.width - 1:
            number = min(number, self.squeeze(self.mirror.image(men), at))
        return "all", lambda: ((r - 1) * ((self.width + 1) // 2) + f << self.points - 1) + number

    @staticmethod
    def squeeze(men, at):
        below = (1 << at) - 1
        return men & below | men >> 1 & ~below


class Breakthrough(Game):
    def __init__(self, width, height):
        super().__init__(width, height)
        self.row = (1 << width) - 1
        self.top = self.row << self.points - width
        middle = self.all & ~self.row & ~self.top
        self.zones = [self.row, middle, middle, self.top]  # of own pawns, two, and of the opponent's
        self.symmetries = maps(width, height)[:2]  # nothing moved, and left and right exchanged
        self.turn = Map([self.points - 1 - p for p in range(self.points)])

    def place(self, text):
        sets, side = self.parse(text)
        own, opp = sets if side == 0 else [self.turn.image(s) for s in reversed(sets)]
        if not own and not opp:
            raise Failure("no pawns")
        if not own or opp & self.row or not opp or own & self.top:
            return None, "loss" if not own or opp & self.row else "win"
        return f"{own.bit_count()}v{opp.bit_count()}", lambda: self.index(own, opp)

    def index(self, own, opp):
        a, b = own.bit_count(), opp.bit_count()
        counts = [(s & zone).bit_count() for s, zone in zip((own, own, opp, opp), self.zones)]
        base = 0
        for x in range(min(a, self.width), -1, -1):  # the blocks before
            for y in range(b, max(b - self.width, 0) - 1, -1):
                if [x, a - x, y, b - y] == counts:
                    return base + self.within(own, opp, counts)
                classes, per, _ = self.block([x, a - x, y, b - y])
                base += len(classes.numbers) * per

    def block(self, counts):
        """The classes of a block's leading set, indices to a class, and number of the leading part."""
        ways = [comb(zone.bit_count(), n) for zone, n in zip(self.zones, counts)]
        lead = max(range(4), key=lambda i: ways[i] if ways[i] <= 1 << 20 else 0)
        per = comb(self.zones[1].bit_count() - counts[1], counts[2]) * ways[0] * ways[1] * ways[3]
        return Classes(self.zones[lead], counts[lead], self.symmetries), per // ways[lead], lead

    def within(self, own, opp, counts):
        """The index in a block."""
        classes, per, lead = self.block(counts)
        _, number, moving = classes.find((own, own, opp, opp)[lead] & self.zones[lead], self.symmetries)
        return number * per + min(self.rest(m.image(own), m.image(opp), lead) for m in moving)

    def rest(self, own, opp, lead):
        sets = [s & zone for s, zone in zip((own, own, opp, opp), self.zones)]
        taken, rank = sets[lead], 0
        for i in (i for i in range(4) if i != lead):
            free = self.zones[i] & ~taken
            rank = rank * comb(free.bit_count(), sets[i].bit_count()) + rank_of(sets[i], numbering(free))
            taken |= sets[i]
        return rank


GAMES = {"fanorona": Fanorona, "konane": Konane, "phutball": Phutball, "breakthrough": Breakthrough}


# ---- all together ----


class Tables:
    """The flat tables in a folder."""

    def __init__(self, folder):
        self.slices, self.about = {}, None
        for name in sorted(os.listdir(folder), reverse=True):  # wdl before dtw, which takes its place
            if not name.endswith((".wdl.flat", ".dtw.flat")):  # other files mean nothing
                continue
            one = Slice(os.path.join(folder, name))
            if self.about not in (None, one.about):
                raise Failure(f"{one.path!r}: of {' '.join(one.about)!r}, and others are of {' '.join(self.about)!r}")
            self.about, self.slices[one.name] = one.about, one
        if self.about is None:
            raise Failure(f"{folder}: no flat tables there")
        game, board, _ = self.about
        if game not in GAMES:
            raise Failure(f"this reader knows no {game!r}")
        sides = re.fullmatch(f"{NUMBER}x{NUMBER}", board)
        if not sides or "0" in sides.groups():
            raise Failure(f"{folder!r}: no board is {board!r}")
        width, height = int(sides[1]), int(sides[2])
        if width * height > MOST_POINTS:
            raise Failure(f"{folder}: this reader knows boards of up to {MOST_POINTS} points")
        self.game = GAMES[game](width, height)
        for name in self.slices:
            if not self.game.names(name):
                raise Failure(f"{folder!r}: no slice is {name!r}")

    def probe(self, text):
        """Value ("win", "loss", "draw") and distance, or None, of a position. Raises Failure."""
        name, place = self.game.place(text)
        if name is None:
            return place, 0
        if name not in self.slices:
            raise Failure(f"slice {name} is not here")
        return self.slices[name].at(place())


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: probe DIR < positions")
    try:
        tables = Tables(sys.argv[1])
    except (Failure, OSError, LookupError, ValueError) as err:
        sys.exit(f"probe: {err}")
    status = 0
    sys.stdin.reconfigure(errors="replace")
    sys.stdout.reconfigure(errors="backslashreplace")
    for line in sys.stdin:
        try:
            value, distance = tables.probe(line.rstrip("\r\n"))
            print(value if distance is None else f"{value} {distance}")
        except Failure as err:
            status = 1
            print(f"? {err}")
    return status


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""client.py URL GAME BOARD: reads a position a line, and prints what a paika server says of it.

    paika serve &
    echo 'B..../...../...../.W.../..W.. w' | python3 client.py http://127.0.0.1:8080 fanorona 5x5

A line of the answer is win, loss or draw, and the distance in turns where it is known; or
"?" and the reason. Needs Python 3.9 and nothing else; can be imported. The whole API is
described at /api/v1/openapi.json of a server.
"""

import http.client
import itertools
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

AT_ONCE = 100  # positions in a request
LONGEST = 2500  # bytes of a position in JSON: no board needs as many, and a server takes no more at once than 100 of these
TRIES = 5  # where the server is busy


class Server:
    def __init__(self, url):
        self.api = url.rstrip("/") + "/api/v1/"

    def ask(self, path, body=None, **parameters):
        """The answer to a question: an object. Raises OSError, with the server's own words."""
        url = self.api + urllib.parse.quote(path) + "?" + urllib.parse.urlencode(parameters)
        data = None if body is None else json.dumps(body).encode()
        try:
            request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
        except ValueError as err:
            raise OSError(err) from err
        for last in [False] * (TRIES - 1) + [True]:
            try:
                with urllib.request.urlopen(request) as answer:
                    return json.load(answer)
            except (http.client.HTTPException, ConnectionError, ValueError) as err:
                raise OSError(f"the answer breaks off, or is none: {err}") from err
            except urllib.error.HTTPError as err:
                if err.code != 503 or last:
                    raise OSError(problem(err)) from err
                time.sleep(pause(err.headers.get("Retry-After")))

    def values(self, game, board, positions, **rules):
        """For each position an object with value and distance, or one with a problem."""
        parameters = {"detail": "value"}
        if rules:
            parameters["rules"] = ",".join(f"{name}={value}" for name, value in rules.items())
        for long, group in itertools.groupby(positions, too_long):
            if long:
                yield from ({"problem": {"detail": f"{len(text)} characters: no position has as many"}} for text in group)
            while some := list(itertools.islice(group, AT_ONCE)):
                yield from listed(self.ask(f"{game}/{board}/positions", {"positions": some}, **parameters), len(some))


def too_long(position):
    return len(json.dumps(position)) > LONGEST


def listed(answer, n):
    """The answers to n positions. Raises OSError where it is none of this server's."""
    answers = answer.get("answers") if isinstance(answer, dict) else None
    if not isinstance(answers, list) or len(answers) != n or not all(map(proper, answers)):
        raise OSError(f"the server gives no answers to {n} positions")
    return answers


def proper(answer):
    """Whether this is a value with its distance, or a problem."""
    if not isinstance(answer, dict):
        return False
    if "problem" in answer:
        return isinstance(answer["problem"], dict) and isinstance(answer["problem"].get("detail"), str)
    return isinstance(answer.get("value"), str) and isinstance(answer.get("distance"), (int, type(None))) and "distance" in answer


def pause(told):
    """Seconds before the next try: those that a server tells, if it tells some."""
    return min(float(told), 60) if (told or "").isdecimal() else 1


def problem(err):
    """What an error of the server says: an object of RFC 9457."""
    try:
        return json.load(err)["detail"]
    except (http.client.HTTPException, OSError, ValueError, KeyError, TypeError):
        return str(err)


def line(answer):
    if "problem" in answer:
        return "? " + answer["problem"]["detail"]
    distance = answer["distance"]
    return answer["value"] if distance is None else f"{answer['value']} {distance}"


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: client.py URL GAME BOARD < positions")
    sys.stdin.reconfigure(errors="replace")
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        for answer in Server(sys.argv[1]).values(sys.argv[2], sys.argv[3], (text.strip() for text in sys.stdin)):
            print(line(answer))
    except OSError as err:
        sys.exit(f"client.py: {err}")


if __name__ == "__main__":
    main()

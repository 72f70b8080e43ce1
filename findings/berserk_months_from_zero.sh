#!/usr/bin/env bash
# berserk 0.14.0 (PyPI, a Lichess client): dates in a rating history. A small server plays Lichess, which sends each point
# as [year, month, day, rating] and counts months from 0 for January (issue 7815 in lichess-org/lila).
# Guess: berserk counts months from 1, as Python does, since it also turns Lichess's milliseconds into Python's dates.
# Seen:  the four numbers only get names. So 5 January and 31 December 2024 are no dates, and 29 March becomes 29
#        February.
# Why it matters: a curve of ratings is drawn a month early, and nothing says so unless such a day is in it.
# What helps: add 1 to the month.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check berserk==0.14.0
cat >try.py <<'CODE'
import datetime
import http.server
import json
import threading

import berserk

HISTORY = [{"name": "Blitz", "points": [[2024, 0, 5, 1500], [2024, 2, 29, 1520], [2024, 11, 31, 1540]]}]


class Lichess(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(HISTORY).encode())

    def log_message(self, *args):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Lichess)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = berserk.Client(base_url=f"http://127.0.0.1:{server.server_port}")
for point in client.users.get_rating_history("ann")[0]["points"]:
    try:
        date = datetime.date(point.year, point.month, point.day)
    except ValueError:
        date = "no date"
    print(f"{point}: {date}")
CODE
NO_PROXY=127.0.0.1 venv/bin/python try.py >seen
cat seen
diff - seen <<'OUT'
RatingHistoryEntry(year=2024, month=0, day=5, rating=1500): no date
RatingHistoryEntry(year=2024, month=2, day=29, rating=1520): 2024-02-29
RatingHistoryEntry(year=2024, month=11, day=31, rating=1540): no date
OUT

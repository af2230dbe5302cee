#!/usr/bin/env python3
"""What `make docs` needs beside mdBook.

    scripts/book.py supports RENDERER    mdBook asks whether this is a preprocessor for a renderer: it is for all
    scripts/book.py                      as a preprocessor: links of pages that are also read elsewhere are made to fit the book
    scripts/book.py check FOLDER         whether all links in the pages of a folder lead somewhere, and nothing is loaded from a network

Pages of `docs/` are chapters of the book under other names, and name files that are in no book. A link to a page that is a chapter leads to
that chapter; of a link to another file the words are left.
"""

import html.parser
import json
import pathlib
import re
import sys
import urllib.parse

# Pages that are chapters, and the chapters.
CHAPTERS = {
    "remarks.md": "all-remarks.md",
    "rules.md": "all-rules.md",
    "configuration.md": "configuration.md",
    "install.md": "install.md",
    "editors.md": "living.md",
    "ci.md": "living.md",
}
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def fitting(text, chapters, own):
    """The text of a chapter with links that fit the book."""

    def link(match):
        words, address = match.group(1), match.group(2)
        if re.match(r"[a-z]+:", address) or address.startswith("#"):
            return match.group(0)
        path, _, place = address.partition("#")
        name = pathlib.PurePosixPath(path).name
        inside = path.removeprefix("docs/").removeprefix("guide/src/")
        if inside not in chapters and name in CHAPTERS and inside == name:
            inside = CHAPTERS[name]
        if inside in chapters or name == own:
            target = inside if inside in chapters else own
            return f"[{words}]({target}{'#' + place if place else ''})"
        return words

    kept = []
    in_code = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        kept.append(line if in_code else LINK.sub(link, line))
    return "\n".join(kept)


def walk(items, visit):
    """Calls `visit` with each chapter."""
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            visit(item["Chapter"])
            walk(item["Chapter"].get("sub_items", []), visit)


def preprocess():
    """Reads the book from standard input, and writes it to standard output."""
    _, book = json.load(sys.stdin)
    items = book.get("items", book.get("sections"))
    chapters = set()
    walk(items, lambda chapter: chapters.add(chapter["path"]))

    def mend(chapter):
        chapter["content"] = fitting(chapter["content"], chapters, chapter["path"])

    walk(items, mend)
    json.dump(book, sys.stdout)


class Page(html.parser.HTMLParser):
    """The links and places of a page."""

    def __init__(self):
        super().__init__()
        self.links, self.places, self.loaded = [], set(), set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
                if tag != "a":
                    self.loaded.add(value)
            elif name in ("id", "name") and value:
                self.places.add(value)


def check(folder):
    """Prints links that lead nowhere; whether there are none."""
    pages = {}
    for file in sorted(folder.rglob("*.html")):
        pages[file.resolve()] = page = Page()
        page.feed(file.read_text())
    wrong, links = [], 0
    for file, page in pages.items():
        for link in page.links:
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc:
                if link in page.loaded and address.scheme != "data":
                    wrong.append(f"{file.relative_to(folder.resolve())}: {link}: is loaded from a network")
                continue
            links += 1
            target = (file.parent / urllib.parse.unquote(address.path)).resolve() if address.path else file
            place = urllib.parse.unquote(address.fragment)
            if not target.exists():
                wrong.append(f"{file.relative_to(folder.resolve())}: {link}: there is no such file")
            elif place and target in pages and place not in pages[target].places:
                wrong.append(f"{file.relative_to(folder.resolve())}: {link}: there is no such place")
    print("\n".join(sorted(set(wrong)) + [f"{len(pages)} pages, {links} links, {len(wrong)} of them wrong"]))
    return not wrong


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        sys.exit(0 if check(pathlib.Path(sys.argv[2])) else 1)
    if sys.argv[1:2] != ["supports"]:
        preprocess()

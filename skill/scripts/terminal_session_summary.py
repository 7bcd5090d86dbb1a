#!/usr/bin/env python3
"""Runs terminal-session-summary with the same arguments."""

import os
import shutil
import sys

NAME = "terminal-session-summary"


def find():
    """The program on PATH, else beside this file."""
    beside = os.path.join(os.path.dirname(os.path.realpath(__file__)), NAME)
    return shutil.which(NAME) or (beside if os.access(beside, os.X_OK) else None)


def main():
    program = find()
    if program is None:
        sys.exit(f"error: {NAME} is neither on PATH nor beside {__file__}")
    try:
        os.execv(program, [NAME, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"error: cannot run {program}: {error.strerror}")


if __name__ == "__main__":
    main()

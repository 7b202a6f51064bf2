"""`python -m pincite`: the same as the command `pincite`."""

from pincite.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

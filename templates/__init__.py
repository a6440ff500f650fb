"""The words of Sizewell: Jinja structure, one reason file per rule, gettext catalogues. Holds no code."""

"""Clubs of many tables: what a table tells its club, where that is kept, and the hall's pages."""

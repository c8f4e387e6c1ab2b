"""Every display that LCDd of lcdproc drives."""

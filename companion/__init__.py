"""The companion joins rules, vision and hardware: session, journal, cues, screens, commands."""

# It limits what OpenCV may be asked to decode, which must be said before anybody loads OpenCV.
import vision as vision

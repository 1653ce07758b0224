/** The remedy for each error code, for docs/reference.md. */
export const ADVICE = {
  GUIDE_NAME_UNRESOLVED: "Check the address in `guide.url` and the machine's name server.",
  GUIDE_UNREACHABLE: "Check `guide.url`, the network, and whether the service runs.",
  GUIDE_TLS_FAILED: "Check the certificate of the service, and the machine's date.",
  GUIDE_TIMEOUT: "Wait. If the fault persists, ask the operator of the service.",
  GUIDE_UNAVAILABLE: "Wait: the service reports that it is temporarily unavailable.",
  GUIDE_DOCUMENT_TORN: "Wait. If the fault persists, the service or a proxy sends incomplete documents.",
  GUIDE_DOCUMENT_INVALID: "Check `guide.url`, or try the other `guide.format`.",
  GUIDE_BODY_TOO_LARGE: "Check `guide.url`: the answer is larger than any document of a guide service.",
  GUIDE_SET_ASIDE:
    "Wait: recorderd tries again by itself, first after an hour. Please report it, with the output of `recorderd status`.",
  GUIDE_SIGN_IN_NEEDED:
    "Run `recorderd login`, or sign in on the dashboard. A running daemon uses the new sign-in at once.",
  GUIDE_FORBIDDEN: "Check the rights of the account, or give another API key with `recorderd login`.",
  GUIDE_NOT_FOUND: "Check the identifier; otherwise the record no longer exists.",
  GUIDE_METHOD_REFUSED: "Nothing to do: the service does not support this request.",
  GUIDE_NOT_ACCEPTABLE: "Correct the value that the service names.",
  GUIDE_MEDIA_TYPE_REFUSED: "Choose the other `guide.format`.",
  GUIDE_ANSWER_UNEXPECTED: "Check `guide.url`: the program that answers is not a guide service.",
  LISTING_UNREACHABLE: "Check the address or the file of the listing. The previous listing stays in use.",
  LISTING_MALFORMED: "Ask the author of the listing. The previous listing stays in use.",
  LISTING_SHRUNKEN: "Check whether the listing is complete at its source. The previous listing stays in use.",
  NOTIFY_UNREACHABLE:
    "Check address, network, user and password (`recorderd notify login`), then run `recorderd notify test`.",
  NOTIFY_REFUSED: "Check the target in `notify`: its server refuses the message.",
  PLANNING_FAILED: "Please report it; recordings follow the last plan.",
  CHANNEL_WITHOUT_SERVICE:
    "Assign a service to the channel on the page *Tuners* or with `recorderd tuners assign`.",
  CLOCK_WRONG: "Set the machine's clock by NTP: run `timedatectl set-ntp true`, or install chrony.",
  TUNER_NONE_CAPABLE: "No tuner receives the service: complete `tuners` or its channel list.",
  TUNER_BUSY: "Recordings or viewers need all tuners: see `recorderd plan`, or give recorderd another tuner.",
  TUNER_IN_USE: "Stop the other program that uses the tuner, or give recorderd another tuner.",
  TUNER_NO_LOCK: "Check the aerial, the cable, and whether the channel list is current.",
  TUNER_UNREACHABLE: "Check the address of the tuner, the network, and whether it is on.",
  TUNER_FORBIDDEN:
    "Give the recorder's user the missing right on the tuner's server. For `/dev/dvb`, add the group `video`.",
  TUNER_CREDENTIALS_WRONG: "Store the right user and password with `recorderd tuners login`.",
  TUNER_SERVICE_UNKNOWN: "Scan again: the multiplex has no service with these ids.",
  STREAM_NO_DATA: "Check the reception of this service on this tuner.",
  STREAM_STALLED: "Check reception and network.",
  STREAM_ENDED: "Check the tuner or its server: it ended the stream.",
  STREAM_WRONG_SERVICE: "Scan again, or correct the channel list: the stream has another service.",
  STREAM_EXCESSIVE:
    "Check the address and the server there: it sent faster than any broadcast, so it may be a video file. The message names the limit.",
  STREAM_SCRAMBLED: "Use a tuner or server that decrypts the service.",
  CAPTURE_DIED: "Read the log of the capture in the message. The usual cause is too little memory.",
  CAPTURE_NOT_STARTED:
    "Read the message. `capture.engine` and the tuner's address determine which streams recorderd can capture.",
  DISK_FULL: "Make room, and set `retention` so that recorderd makes room in time.",
  DISK_LOW: "Make room: the least important recordings stop or do not start.",
  WRITE_FAILED: "Check the disk and the permissions of `recordings.folder`.",
  STORAGE_OFFLINE:
    "Mount the disk of `recordings.mountPoint` or `recordings.folder`. Recording then continues by itself.",
  NODE_AWAY:
    "Start the machine that the message names: it has a part of the recording. If it never comes back: recorderd fleet forget NODE.",
  STORAGE_SLOW: "Check the disk or the file server: it does not answer in time.",
  FILE_UNREADABLE: "Check that the file exists and that recorderd may read it.",
  FILE_CHANGED:
    "Find the program that writes to the recordings folder: it changed a file while recorderd used it.",
  FILE_REPLACED:
    "Find the program that replaced a segment with its own file. recorderd does not touch that file: delete it yourself.",
  CONVERSION_BUSY:
    "Wait until another viewer has stopped, raise `playback.conversions` if the processor is fast enough, or use VLC.",
  CONVERSION_OFF: "Use VLC, or set `playback.conversions` to 1 or more.",
  INDEX_UNUSABLE: "Play the recording from its beginning. A job makes its index when the recorder is idle.",
  CHANNEL_LIST_UNKNOWN: "See docs/tuners.md for the supported formats.",
  FILE_NOT_OURS: "Nothing to do: another program replaced the recorded file, so recorderd leaves it alone.",
  RECORDING_UNKNOWN: "Check the id: `recorderd recordings list` shows all recordings.",
  RECORDING_PROTECTED: "Remove the protection with `recorderd recordings unprotect`.",
  FFMPEG_MISSING: "Install ffmpeg, or set `capture.ffmpegPath`.",
  FFMPEG_FAILED: "Read the message. The recording itself is unchanged.",
  NODE_CANNOT_CHANGE_USER:
    "Run the command as the user in the message (`sudo -u recorderd …`), or install Node.js from nodejs.org: that of Debian 13 cannot change its user.",
  CONFIG_INVALID: "Correct each mistake in the message. `recorderd check` lists those that remain.",
  STORE_LOCKED:
    "Stop the other daemon with this data folder, or use another folder. If a command used it, try again.",
  STORE_DAMAGED:
    "Restore the data folder from a backup, or move the damaged file away: recorderd fetches the timers again.",
  STORE_TOO_NEW: "Install the newer version of recorderd that wrote the data.",
  STORE_WRITE_FAILED: "Make room in the data folder, or check its disk. Captures continue meanwhile.",
  ADDRESS_IN_USE: "Stop the program that uses the address, or choose another address or socket.",
  DAEMON_NOT_READY: "The recorder is starting, stopping or busy: try again in a moment.",
  DAEMON_UNREACHABLE:
    "Start the daemon, or give its socket with `--socket`. Run the command as root or as the daemon's user.",
  SITE_PARAMETER_INVALID: "Correct the option that the message names.",
  SITE_CREDENTIALS_INVALID: "Correct the credentials file that the message names.",
  SITE_UNREACHABLE: "Check the address of the site and the network.",
  SITE_UNAVAILABLE: "Wait, then try again.",
  SITE_SIGN_IN_NEEDED: "Give credentials that the site accepts.",
  SITE_NOT_FOUND: "Check the identifier; otherwise the record no longer exists.",
  SITE_REFUSED: "Correct the value that the site names.",
  SITE_ANSWER_INVALID: "Check the address: the program that answers is not the site.",
  SITE_LIST_TOO_LONG: "Request fewer records at once.",
};

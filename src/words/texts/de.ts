/** German. */
export const de = `
## Times and amounts

today = Heute
tomorrow = Morgen
yesterday = Gestern
# Inside a sentence: “since yesterday 20:15”
today-inside = heute
tomorrow-inside = morgen
yesterday-inside = gestern
# Today 20:15
day-and-time = { $day } { $time }
days = { $days ->
    [one] { $days } Tag
   *[other] { $days } Tage
}
hours = { $hours } h
minutes = { $minutes } min
seconds = { $seconds } s
# 1 h 30 min
larger-and-smaller = { $larger } { $smaller }

## Frame: around every page

frame-loading = Wird geladen …
frame-waiting = Warten auf den Recorder …
frame-skip = Zum Inhalt
frame-pages = Seiten
# The title of the window. $page is the name of a page, $name that of the program.
frame-title = { $page } · { $name }
# $time has seconds: 20:15:03
frame-silent = Der Recorder antwortet seit { $time } Uhr nicht mehr. Sie sehen den letzten bekannten Stand. Neuer Versuch …
frame-part-missing = Ein Teil dieser Seite konnte nicht geladen werden. Die Seite lädt neu, sobald der Recorder antwortet.
# Read out when the page gets every change at once
frame-live = live
frame-connecting = Verbindung wird aufgebaut …
frame-guide-server = Programmserver
frame-colours = Farben: { $theme ->
    [light] hell
    [dark] dunkel
   *[system] wie das System
}
frame-language = Sprache
frame-signed-out = Abgemeldet.
frame-sign-out = Abmelden

## Navigation and common parts

# The name of a button that asks before it acts: Delete…
confirm-opens = { $label } …
confirm-keep = Behalten
dialog-close = Schließen

# Names of pages, and their headings. The first five are in a bar at the bottom of a phone: about 40 letters fit in all.
nav-tonight = Heute
nav-guide = Programm
nav-recordings = Aufnahmen
nav-rules = Regeln
nav-more = Mehr
nav-devices = Geräte
nav-channels = Sender
nav-users = Benutzer
nav-timeline = Zeitleiste
nav-timers = Timer
nav-tuners = Tuner
nav-log = Protokoll
# The page More: a line under each link
more-timeline = Was jeder Tuner aufnimmt, Stunde für Stunde
more-timers = Alle geplanten Aufnahmen und was daraus wurde
more-tuners = Empfang, Sender und Speicherplatz
more-log = Was der Recorder zuletzt getan hat
more-guide-service = Programmdienst
more-guide-service-line = Liefert dem Recorder Programm und Timer
more-users = Wer diesen Programmserver nutzen darf
more-browser = Dieser Browser
push-turn-on = Benachrichtigungen einschalten
push-turn-off = Benachrichtigungen ausschalten
push-is-on = Benachrichtigungen kommen jetzt auf diesem Gerät an. Eine Testnachricht ist unterwegs.
push-is-off = Dieser Browser erhält keine Benachrichtigungen mehr.
push-insecure = Benachrichtigungen erreichen einen Browser nur über eine sichere Adresse (https).
push-impossible = Dieser Browser kann keine Benachrichtigungen empfangen. Auf einem iPhone oder iPad muss diese Seite zuerst zum Home-Bildschirm hinzugefügt werden.
push-denied = Der Browser erlaubt dieser Seite keine Benachrichtigungen. Erlauben Sie sie in seinen Einstellungen.
push-refused = Der Push-Dienst des Browsers hat abgelehnt. Versuchen Sie es später noch einmal.
more-recorder = Recorder
more-version = recorderd { $version }
# A button: asks the guide service for timers at once
more-sync = Jetzt abgleichen
more-syncing = Der Programmdienst wird abgefragt.

## Tonight

# The first sentence of the start page. Tonight lasts until six in the morning.
tonight-nothing = Heute ist nichts geplant.
tonight-only-running = { $count ->
    [one] 1 Aufnahme läuft. Sonst ist heute nichts geplant.
   *[other] { $count } Aufnahmen laufen. Sonst ist heute nichts geplant.
}
tonight-all = { $count ->
    [one] Heute ist 1 Aufnahme geplant.
   *[other] Heute sind { $count } Aufnahmen geplant.
}
# $planned: those that have a tuner
tonight-some = { $count ->
    [one] 1 Aufnahme ist heute nicht wie geplant möglich.
   *[other] { $planned ->
        [0] Heute ist keine der { $count } Aufnahmen wie geplant möglich.
        [one] Heute ist nur 1 von { $count } Aufnahmen wie geplant möglich.
       *[other] Heute sind nur { $planned } von { $count } Aufnahmen wie geplant möglich.
    }
}
tonight-decisions = { $count ->
    [one] 1 Entscheidung ist nötig.
   *[other] { $count } Entscheidungen sind nötig.
}
tonight-now = Wird gerade aufgenommen
tonight-next = Als Nächstes, bis morgen früh
tonight-lost = Nicht aufgenommen
tonight-new = Neue Aufnahmen
tonight-show-all = Alle anzeigen
# The same link, read out. $of is the title of its list: “New to watch”
tonight-show-all-of = Alle anzeigen: { $of }
tonight-watch = Ansehen
tonight-watch-it = { $name } ansehen
# $share is a percentage, of the broadcast and of the recording
tonight-over = { $share } vorbei
tonight-until = bis { $time }
tonight-until-well = bis { $time } · störungsfrei
# $day: “Yesterday”, or a date. $length: “50 min”, or “27 min left”
tonight-day-and-length = { $day } · { $length }
tonight-left = noch { $length }
# Nothing was recorded in this home yet
tonight-start = Noch keine Aufnahmen. Im <link>Programm</link> finden Sie etwas zum Aufnehmen.
tonight-hours = { $hours ->
    [0] Auf dem Datenträger ist Platz für weniger als 1 Stunde.
    [one] Platz für etwa 1 weitere Stunde.
   *[other] Platz für etwa { $hours } weitere Stunden.
}
# $at: “Tomorrow 00:50”
tonight-full = Datenträger voll: { $at }

## Decisions: conflicts and what solves them

decision-title = Entscheidungen
decision-searching = Die Suche nach einem besseren Plan läuft noch.
# $names: one or more titles. $start and $stop: times of day.
decision-lost = { $count ->
    [one] { $names } würde nicht aufgenommen: Von { $start } bis { $stop } Uhr ist kein Tuner frei.
   *[other] { $names } würden nicht aufgenommen: Von { $start } bis { $stop } Uhr ist kein Tuner frei.
}
# $lost: a length, such as 7 min. $from: a time of day.
decision-partly = Von { $names } würde der Anfang fehlen ({ $lost }): Vor { $from } Uhr ist kein Tuner frei.
# Somebody chose another recording before this one.
decision-settled = Keine Aufnahme von { $names }: Eine andere Aufnahme hat Vorrang.
# A tuner that fails is tried all the same.
decision-uncertain = Die Aufnahme von { $names } ist unsicher: Der Tuner ist gestört, und kein anderer ist frei.
decision-other = Keine Aufnahme möglich: { $names }.
# Where and when: Das Erste, Today 20:15–21:45
decision-on = { $channel }, { $when }
decision-choices = Möglichkeiten
# $at: a day and a time.
decision-repeat = Wiederholung aufnehmen: { $at }
decision-repeat-of = Wiederholung von { $name } aufnehmen: { $at }
decision-repeat-cost = Auf { $channel }. Nichts geht verloren.
decision-record = { $names } aufnehmen
# A title and when it begins, where titles are listed: News 20:00
decision-name = { $name } { $time }
decision-cost-nothing = Nichts geht verloren.
decision-cost-lost = { $count ->
    [one] { $names } wird nicht aufgenommen.
   *[other] { $names } werden nicht aufgenommen.
}
decision-cost-partly = { $count ->
    [one] { $names } wird nur teilweise aufgenommen.
   *[other] { $names } werden nur teilweise aufgenommen.
}
decision-cost-mixed = Nicht aufgenommen: { $names }. Nur teilweise: { $partly }.
decision-cost-cancel = Der Timer für { $name } wird gelöscht.
decision-done-repeat = Die Wiederholung von { $name } wird vorgemerkt. Danach wird dieser Timer gelöscht.
decision-done-priority = { $name } hat jetzt Vorrang. Der Plan wird aktualisiert.
decision-done-cancel = Der Timer für { $name } ist gelöscht. Der Plan wird aktualisiert.
# $tuner: the name of a tuner.
decision-add-tuner = Ein zweiter Tuner wie { $tuner } würde das lösen.
decision-none = Keine einzelne Änderung würde helfen: weder der Verzicht auf eine andere Aufnahme noch eine höhere Priorität noch ein weiterer Tuner.
decision-why = Warum?
decision-change = Neu entscheiden
# $when: day and times.
decision-holder = Tuner { $tuner } nimmt { $name } auf ({ $when }).
decision-show-all = Alle { $count } anzeigen


## Troubles, by error code

# One sentence says what is wrong, another what to do.
trouble-title = Störungen
# $at: a day and a time, or a time.
trouble-since = Seit { $at } Uhr
trouble-technical = Technische Details
trouble-guide-sign-in = Beim Programmdienst ist eine neue Anmeldung nötig. Bis dahin kommen keine neuen Timer an. <link>Anmelden</link>
trouble-guide-few = { $listed ->
    [one] Der Programmdienst nennt nur noch 1 von { $held } Timern. Deswegen wird keiner gelöscht.
   *[other] Der Programmdienst nennt nur noch { $listed } von { $held } Timern. Deswegen wird keiner gelöscht.
}
trouble-clock = Die Uhr des Recorders ist nicht verlässlich. Der Recorder nimmt weiter auf und bewertet die Aufnahmen, sobald die Uhr stimmt. Prüfen Sie Datum und Uhrzeit des Recorders.
trouble-clock-behind = Die Uhr des Recorders geht anscheinend { $by } nach. Prüfen Sie Datum und Uhrzeit des Recorders.
trouble-clock-ahead = Die Uhr des Recorders geht anscheinend { $by } vor. Prüfen Sie Datum und Uhrzeit des Recorders.
trouble-data-disk-full = Der Datenträger des Datenordners ist voll. Laufende Aufnahmen gehen weiter. Schaffen Sie auf diesem Datenträger Platz.
trouble-data-disk-low = Der Datenträger des Datenordners ist voll, und der Recorder nutzt seine Reserve. Schaffen Sie auf diesem Datenträger Platz.
trouble-secrets = Der Recorder kann seine gespeicherten Passwörter nicht lesen. Geplante Aufnahmen sind nicht betroffen.
trouble-secrets-earlier = Der Recorder kann seine gespeicherten Passwörter nicht lesen. Bis zum Neustart verwendet er die bisherigen.
trouble-no-answer = Der Recorder antwortet nicht.
trouble-answer = Der Recorder konnte das nicht ausführen (Status { $status }).
trouble-other = Etwas ist schiefgegangen. Mehr dazu steht in den technischen Details.

trouble-no-tuner-free = Zu dieser Zeit ist kein Tuner frei: Alle sind durch andere Aufnahmen belegt.
trouble-guide-unreachable = Der Programmdienst ist nicht erreichbar. Prüfen Sie die Internetverbindung. Der Recorder versucht es weiter.
trouble-guide-busy = Der Programmdienst ist zurzeit nicht verfügbar. Der Recorder versucht es weiter.
trouble-guide-unreadable = Der Recorder versteht die Antworten des Programmdienstes nicht. Prüfen Sie dessen Adresse in den Einstellungen.
trouble-guide-certificate = Die Verbindung zum Programmdienst ist nicht sicher. Prüfen Sie das Datum des Recorders und das Zertifikat des Dienstes.
trouble-guide-set-aside = Das Lesen einer Antwort des Programmdienstes hat zu lange gedauert. Der Recorder versucht es von selbst erneut.
trouble-guide-signed-out = Beim Programmdienst ist eine neue Anmeldung nötig.
trouble-guide-forbidden = Dafür reichen Ihre Rechte beim Programmdienst nicht aus. Fragen Sie einen Besitzer des Kontos.
trouble-guide-not-found = Diesen Eintrag gibt es beim Programmdienst nicht mehr.
trouble-guide-refused = Der Programmdienst hat diese Änderung abgelehnt.
trouble-listing = Eine XMLTV-Liste konnte nicht geladen werden. Ihr bisheriger Inhalt gilt weiter.
trouble-channel = Der Recorder weiß nicht, wo dieser Sender zu empfangen ist. Ordnen Sie ihn auf der Seite „Tuner“ zu.
trouble-clock-wrong = Die Uhr des Recorders ging zu dieser Zeit falsch. Prüfen Sie Datum und Uhrzeit des Recorders.
trouble-no-tuner-capable = Kein Tuner empfängt diesen Sender.
trouble-tuner-in-use = Eine andere Anwendung belegt den Tuner.
trouble-no-signal = Der Tuner empfängt kein Signal. Prüfen Sie Antenne und Kabel.
trouble-tuner-unreachable = Der Tuner antwortet nicht. Prüfen Sie, ob er eingeschaltet und verbunden ist.
trouble-tuner-forbidden = Der Recorder darf den Tuner nicht benutzen. Geben Sie ihm die nötigen Rechte.
trouble-tuner-password = Der Tuner lehnt den gespeicherten Benutzernamen oder das Passwort ab.
trouble-tuner-scan = Der Tuner findet diesen Sender nicht mehr. Starten Sie einen neuen Sendersuchlauf.
trouble-stalled = Das Signal ist abgerissen. Prüfen Sie den Empfang.
trouble-ended = Der Tuner liefert keine Daten mehr.
trouble-scrambled = Der Sender ist verschlüsselt, und dieser Tuner kann ihn nicht entschlüsseln.
trouble-excessive = Der Tuner hat schneller Daten geliefert, als ein Sender sie übertragen kann. Prüfen Sie seine Adresse.
trouble-capture-died = Die Aufnahme ist unerwartet abgebrochen. Der Recorder startet sie neu.
trouble-capture-not-started = Die Aufnahme konnte nicht gestartet werden.
trouble-disk-full = Der Datenträger für Aufnahmen ist voll. Löschen Sie Aufnahmen, um Platz zu schaffen.
trouble-disk-low = Der Datenträger für Aufnahmen ist fast voll. Löschen Sie Aufnahmen, um Platz zu schaffen.
trouble-write-failed = Der Recorder kann nicht auf den Datenträger für Aufnahmen schreiben. Prüfen Sie den Datenträger.
trouble-disk-missing = Der Datenträger für Aufnahmen fehlt. Schließen Sie ihn an, dann geht die Aufnahme von selbst weiter.
trouble-disk-slow = Der Datenträger für Aufnahmen antwortet zu langsam. Prüfen Sie ihn oder den Dateiserver.
trouble-node-away = Ein anderer Recorder des Verbunds hat einen Teil dieser Aufnahme und ist ausgeschaltet. Schalten Sie ihn ein.
trouble-file-unreadable = Die Datei ist nicht lesbar.
trouble-file-foreign = Eine andere Anwendung hat die Datei geändert oder ersetzt.
trouble-recording-unknown = Diese Aufnahme gibt es nicht mehr.
trouble-recording-protected = Die Aufnahme ist geschützt. Heben Sie zuerst den Schutz auf.
trouble-index = Vor- und Zurückspringen ist in dieser Aufnahme noch nicht möglich. Spielen Sie sie von Anfang an ab.
trouble-conversion-busy = Der Recorder ist mit Umwandlungen ausgelastet. Versuchen Sie es wieder, wenn jemand anders die Wiedergabe beendet hat.
trouble-conversion-off = Dieses Gerät kann die Aufnahme nur umgewandelt abspielen, und Umwandlungen sind ausgeschaltet.
trouble-conversion-failed = Die Umwandlung ist fehlgeschlagen. Die Aufnahme selbst ist unverändert.
trouble-data-folder = Der Recorder kann seine Daten nicht speichern. Laufende Aufnahmen gehen weiter. Prüfen Sie den Datenträger des Datenordners.
trouble-set-up = Der Recorder ist nicht richtig eingerichtet. In seinem Protokoll steht, was zu korrigieren ist.
trouble-notify = Die Benachrichtigung konnte nicht gesendet werden. Prüfen Sie die Einstellungen für Benachrichtigungen.
trouble-planning = Der Plan konnte nicht aktualisiert werden. Für Aufnahmen gilt der bisherige Plan.
trouble-not-ready = Der Recorder startet gerade oder ist beschäftigt. Versuchen Sie es gleich noch einmal.
trouble-site = Die Website für Ankündigungen hat keine brauchbare Antwort gegeben. Versuchen Sie es später noch einmal.
trouble-site-sign-in = Die Website für Ankündigungen verlangt eine Anmeldung.


## States and verdicts

# Chips: one or two words.
state-planned = geplant
# Only a part will be recorded.
state-partly = teilweise
state-conflicted = Konflikt
state-tuning = startet
state-waiting = neuer Versuch
state-recording = wird aufgenommen
state-closing = wird beendet
state-completed = vollständig
state-partial = unvollständig
state-failed = fehlgeschlagen
state-missed = verpasst
state-cancelled = Timer gelöscht
verdict-perfect = einwandfrei
verdict-good = gut
verdict-damaged = fehlerhaft
verdict-unusable = unbrauchbar
file-missing = fehlt
file-changed = verändert
file-unreadable = nicht lesbar
file-truncated = unvollständig: { $size } von { $whole }
file-intact = unversehrt
file-unproven = nicht geprüft

# Sentences about one recording.
result-planned = Wird aufgenommen: { $when }.
result-partly = Wird nur teilweise aufgenommen: { $when }.
result-conflicted = Wird nicht aufgenommen.
result-tuning = Die Aufnahme startet gerade.
result-waiting = Der Recorder versucht es noch bis { $stop } Uhr.
result-recording = Die Aufnahme läuft noch bis { $stop } Uhr.
result-closing = Die Aufnahme ist vorbei, die Datei wird fertiggestellt.
result-completed = Die Aufnahme ist vollständig.
result-perfect = Vollständig und fehlerfrei aufgenommen.
result-good = Vollständig aufgenommen.
result-damaged = Mit Fehlern aufgenommen: { $share } der Sendung sind vorhanden.
result-unusable = Die Aufnahme ist unbrauchbar: Nur { $share } der Sendung sind vorhanden.
# Without figures.
result-damaged-plain = Mit Fehlern aufgenommen.
result-unusable-plain = Die Aufnahme ist unbrauchbar.
result-partial = Nur ein Teil wurde aufgenommen: { $share } der Sendung.
result-unverified = Aufgenommen, aber es ist nicht bekannt, wie viel von der Sendung vorhanden ist.
result-failed = Es wurde nichts aufgenommen.
result-missed = Nicht aufgenommen: Die Sendezeit ist vorbei.
result-cancelled = Der Timer wurde gelöscht.
result-clock = Die Uhr des Recorders ist nicht verlässlich. Das Ergebnis folgt, sobald sie stimmt.
result-doubt = Tuner { $tuner } ist seit { $at } Uhr gestört. Die Aufnahme wird trotzdem versucht.
result-doubt-plain = Der Tuner ist gestört. Die Aufnahme wird trotzdem versucht.
# $lost: a length, such as 7 min.
result-late = Der Anfang der Sendung wird nicht aufgenommen ({ $lost }): Vor { $from } Uhr ist kein Tuner frei.
result-less-before = Der Vorlauf ist { $lost } kürzer: Eine andere Aufnahme braucht den Tuner.
result-less-after = Der Nachlauf ist { $lost } kürzer: Eine andere Aufnahme braucht den Tuner.
result-seam = Der Beginn kann sich um bis zu { $lost } verzögern: Der Tuner wechselt von einer anderen Aufnahme.
result-no-errors = Keine Empfangsfehler.
result-errors = { $count ->
    [one] 1 Empfangsfehler.
   *[other] { $count } Empfangsfehler.
}
# $spans: times of day with seconds.
result-missing = Es fehlt: { $spans }
result-storage-missing = Der Datenträger fehlt seit { $at } Uhr. Die Datei wird fertiggestellt, sobald er wieder da ist.
result-storage-slow = Der Datenträger antwortet seit { $at } Uhr nicht. Die Datei ist deshalb noch nicht fertig.
result-node-away = Ein anderer Recorder hat einen Teil dieser Aufnahme und ist seit { $at } Uhr ausgeschaltet. Die Datei ist deshalb noch nicht fertig.
result-storage-failed = Die Datei kann seit { $at } Uhr nicht fertiggestellt werden. Der Recorder versucht es weiter.
repeat-booking = Die Wiederholung wird vorgemerkt: { $at } auf { $channel }.
repeat-again = Die Wiederholung konnte noch nicht vorgemerkt werden. Der Recorder versucht es erneut.
repeat-booked = Die Wiederholung ist vorgemerkt: { $at } auf { $channel }.
repeat-needless = Die Aufnahme ist vollständig, die Wiederholung wird nicht gebraucht.
repeat-healed = Die Wiederholung wurde vollständig aufgenommen.
repeat-moved = Stattdessen wird die Wiederholung aufgenommen: { $at } auf { $channel }.
repeat-given-up = Die Wiederholung konnte die Aufnahme nicht ersetzen.
repeat-not-booked = Es wurde keine Wiederholung vorgemerkt.


## Details of a recording

detail-episode = Staffel { $season }, Folge { $episode }
# What is behind it: padding, tuner, file, reception.
detail-more = Weitere Angaben
detail-channel = Sender
detail-event = Sendezeit
detail-window = Mit Vor-/Nachlauf
detail-priority = Priorität
detail-tuner = Tuner
detail-reported = Gemeldeter Status
detail-not-reported = noch nicht gemeldet
reported-waiting = wartet
reported-pending = wartet
reported-running = wird aufgenommen
reported-completed = abgeschlossen
reported-failed = fehlgeschlagen
detail-repeat = Wiederholung
detail-attempts = Versuche
detail-on-disk = Gespeichert
# $size: 1.5 GB
detail-size = { $parts ->
    [one] { $size }
   *[other] { $size } in { $parts } Teilen
}
detail-of-event = Von der Sendung
# $share: 99.5 %. $length: 1 h 30 min
detail-share = { $share } ({ $length })
detail-lost-packets = Verlorene Pakete
detail-damaged-packets = Beschädigte Pakete
detail-encrypted-packets = Verschlüsselte Pakete
detail-file = Datei
detail-wrong = Fehler
detail-compared = Geprüft
detail-compared-at = { $verdict }, { $at }
detail-deleted-person = Von Hand gelöscht.
detail-deleted-retention = Gelöscht, um Platz zu schaffen.
detail-deleted-repeat = Gelöscht: Eine vollständige Wiederholung hat die Aufnahme ersetzt.
detail-delete = Löschen
detail-delete-ask = Aufnahme löschen? Das lässt sich nicht rückgängig machen.
detail-delete-verb = Endgültig löschen
detail-delete-done = Gelöscht.
detail-protect = Schützen
detail-protect-done = Geschützt: Die Aufnahme wird nicht automatisch gelöscht.
detail-unprotect = Schutz aufheben
detail-unprotect-done = Schutz aufgehoben.
detail-watched = Als gesehen markieren
detail-watched-done = Als gesehen markiert.
detail-unwatched = Als ungesehen markieren
detail-unwatched-done = Als ungesehen markiert.
detail-verify = Datei prüfen
detail-verify-done = Die Datei wird geprüft.
detail-change = Timer ändern
detail-before = Vorlauf (Minuten)
detail-after = Nachlauf (Minuten)
detail-padding = Vor-/Nachlauf ändern
detail-padding-done = Vor- und Nachlauf wurden beim Programmdienst geändert.
detail-priority-change = Priorität ändern
detail-priority-done = Der Plan wird aktualisiert.
detail-cancel = Timer löschen
detail-cancel-ask = Timer beim Programmdienst löschen? Der bisher aufgenommene Teil bleibt erhalten.
detail-cancel-verb = Timer löschen
detail-cancel-done = Timer gelöscht.

## Recordings of another recorder

imported-by = Von { $recorder } aufgenommen; die Datei gehört { $recorder }.
imported-out = Aus der Liste nehmen
imported-out-ask = Aufnahme aus dieser Liste nehmen? Die Datei bleibt bei { $recorder }.
imported-out-verb = Herausnehmen
imported-out-done = Herausgenommen.


## What happened: the history of a timer

# Each of these is one line of a history, with its time before it.
happened-title = Verlauf
happened-lines = { $count ->
    [one] 1 Eintrag
   *[other] { $count } Einträge
}
# The same line several times in a row.
happened-times = { $text } ({ $count }-mal)
# $zone: the name of a time zone, such as Europe/Berlin.
happened-technical = Für Fachleute, auf Englisch. Zeiten in der Zeitzone { $zone }.
happened-technical-plain = Für Fachleute, auf Englisch. Zeiten in den Sätzen gelten in der Zeitzone des Recorders.
# Stands for a value that an earlier version did not keep.
happened-unknown = unbekannt
# $since: a day and a time.
happened-started = Der Recorder wurde gestartet. Vorher ausgeschaltet seit: { $since }
happened-clock-forward = Die Uhr des Recorders wurde um { $by } vorgestellt.
happened-clock-back = Die Uhr des Recorders wurde um { $by } zurückgestellt.
happened-clock-not-trusted = Ab hier galt die Uhr des Recorders als nicht verlässlich. Deswegen wurde keine Aufnahme beendet.
happened-clock-trusted = Die Uhr des Recorders galt wieder als verlässlich.
happened-asleep = Der Recorder war im Ruhezustand: { $when }.
happened-off = Der Recorder war ausgeschaltet: { $when }.
happened-ordered = Vorgemerkt: { $name } auf { $channel }, { $when }.
happened-order-changed = Die Sendung wurde verschoben: { $when }.
happened-priority = Die Priorität wurde auf { $priority } geändert.
happened-padding = Der Vorlauf wurde auf { $before } min geändert, der Nachlauf auf { $after } min.
happened-override-removed = Die eigenen Werte des Recorders für Priorität, Vor- und Nachlauf wurden entfernt.
happened-repeat-ordered = Die Wiederholung wird vorgemerkt: { $at } auf { $channel }.
happened-repeat-booked = Die Wiederholung ist vorgemerkt.
happened-repeat-delayed = Die Wiederholung konnte noch nicht vorgemerkt werden. Der Recorder versucht es erneut.
happened-repeat-cancelling = Der Timer wird gelöscht: Die Wiederholung ersetzt ihn.
happened-repeat-dropping = Die Aufnahme ist vollständig, deshalb wird der Timer der Wiederholung gelöscht.
happened-repeat-moved = Stattdessen wird die Wiederholung aufgenommen.
happened-repeat-healed = Die Wiederholung wurde vollständig aufgenommen.
happened-repeat-needless = Die Wiederholung wird nicht mehr gebraucht.
happened-repeat-given-up = Die Wiederholung konnte die Aufnahme nicht ersetzen.
happened-absent = Der Programmdienst führt den Timer nicht mehr, er gilt deshalb als gelöscht.
happened-not-understood = Der Eintrag des Programmdienstes war nicht lesbar.
happened-placed = Geplant auf Tuner { $tuner }.
happened-tuner-changed = Jetzt auf Tuner { $tuner } geplant.
happened-displaced = Die Aufnahme hat ihren Platz im Plan verloren.
happened-trimmed = Mit weniger Vor-/Nachlauf oder nur teilweise geplant.
happened-conflict = Für die Aufnahme war kein Platz im Plan.
happened-held-back = Die Aufnahme war fällig, konnte aber noch nicht starten.
happened-flowing = Die Aufnahme begann auf Tuner { $tuner }.
happened-doubted = Die Aufnahme schien zu misslingen, deshalb begann eine zweite auf Tuner { $tuner }.
happened-drained = Der Rechner der Aufnahme geht in Wartung, deshalb begann eine zweite auf Tuner { $tuner }.
happened-relieved = Die Aufnahme geht auf Tuner { $tuner } weiter.
happened-followed = Die Aufnahme richtet sich nach der tatsächlichen Sendezeit und läuft bis { $stop } Uhr.
happened-lease-taken = Eine andere Nutzung von Tuner { $tuner } wurde für eine Aufnahme beendet.
happened-tuner-quarantined = Tuner { $tuner } ist ausgefallen.
happened-tuner-back = Tuner { $tuner } funktioniert wieder.
happened-adopted = Der Recorder wurde neu gestartet, die Aufnahme lief ohne Lücke weiter.
happened-attempt-failed = Ein Aufnahmeversuch ist fehlgeschlagen.
happened-withdrawn = Der Timer wurde gelöscht.
happened-missed = Die Sendezeit verging ohne Aufnahme.
happened-over = Die Aufnahmezeit ist vorbei, die Datei wird fertiggestellt.
happened-closing-failed = Die Datei konnte nicht fertiggestellt werden. Der Recorder versucht es weiter.
happened-evidence = Gespeichert: { $covered } von { $length }.
happened-plain-name = Der Datenträger hat den vollen Dateinamen nicht angenommen, deshalb hat die Datei einen einfachen Namen.
happened-gap = Nicht aufgenommen: { $span }.
happened-gap-picture = Das Bild fehlt: { $span }.
happened-gap-sound = Der Ton fehlt: { $span }.
happened-whole = Die Aufnahme ist fertig.
happened-shortened = Nur ein Teil wurde aufgenommen.
happened-empty = Es wurde nichts aufgenommen.
happened-discarded = Der Timer wurde gelöscht. Der bisher aufgenommene Teil bleibt erhalten.
happened-deleted-person = Die Aufnahme wurde von Hand gelöscht.
happened-deleted-retention = Die Aufnahme wurde gelöscht, um Platz zu schaffen.
happened-deleted-repeat = Die Aufnahme wurde gelöscht: Eine vollständige Wiederholung hat sie ersetzt.
happened-file-gone = Eine andere Anwendung hat die Datei entfernt.
happened-file-back = Die Datei ist wieder da.
happened-file-damaged = Die Datei wurde nach der Aufnahme beschädigt.
happened-file-sound = Die Datei ist wieder unversehrt.
happened-report-refused = Der Programmdienst hat die Meldung abgelehnt.
happened-ordered-rule = Von einer Regel vorgemerkt: { $name } auf { $channel }, { $when }.
happened-rule-changed = Die Regel, die diese Aufnahme vorgemerkt hat, wurde geändert.


## Recordings

recordings-search = Aufnahmen durchsuchen
# A filter: recordings that somebody has begun to watch.
recordings-unfinished = Angefangen
recordings-count = { $count ->
    [one] 1 Aufnahme
   *[other] { $count } Aufnahmen
}, { $size }
recordings-empty = Keine Aufnahmen
recordings-empty-next = Wählen Sie im <link>Programm</link> eine Sendung zum Aufnehmen. Wenn sie vorbei ist, erscheint sie hier.
recordings-none-match = Keine passende Aufnahme gefunden.
recordings-none-match-next = Versuchen Sie es mit anderen Suchwörtern oder zeigen Sie alle Aufnahmen an.
recordings-show-all = Alle anzeigen
# $share is a percentage.
recordings-seen = { $share } gesehen
recordings-protected = geschützt
recordings-watched = gesehen

# The picture of a recording's bit rate, with what is missing in it.
integrity-picture = Bitrate im Zeitverlauf
integrity-rate = { $average } im Durchschnitt, höchstens { $most }.
integrity-whole = Nichts fehlt.
# $gaps is a list: 2 s at 20:15:03 and 1 min of picture at 20:40:00.
integrity-missing = Es fehlt: { $gaps }.
integrity-gap = { $lacks ->
    [picture] { $length } Bild um { $at } Uhr
    [sound] { $length } Ton um { $at } Uhr
   *[all] { $length } um { $at } Uhr
}
# The time stamps of the broadcast do not go on.
integrity-clock = { $count ->
    [one] Die Uhr im Sendesignal springt einmal.
   *[other] Die Uhr im Sendesignal springt { $count }-mal.
}
integrity-damaged = { $count ->
    [one] 1 Paket ist beschädigt.
   *[other] { $count } Pakete sind beschädigt.
}
integrity-junk = { $size } der Aufnahme sind nicht lesbar.


## Timers

timers-search = Timer durchsuchen
timers-which = Auswahl der Timer
timers-filter-upcoming = Anstehend
timers-filter-running = Laufend
timers-filter-trouble = Mit Problemen
timers-filter-ended = Beendet
timers-filter-all = Alle
timers-count = { $count ->
    [one] 1 Timer
   *[other] { $count } Timer
}
timers-empty = Keine Timer
timers-empty-next = Wählen Sie im <link>Programm</link> eine Sendung zum Aufnehmen oder <rules>nehmen Sie eine ganze Serie auf</rules>.
timers-none-match = Kein passender Timer gefunden.
timers-none-match-next = Ändern Sie die Auswahl oder die Suchwörter.
timers-show-all = Alle anzeigen


## Timeline

timeline-view = Ansicht der Zeitleiste
timeline-now = Jetzt
timeline-zoom-out = Verkleinern
timeline-zoom-in = Vergrößern
timeline-range = Belegung der Tuner: ein Tag zurück bis zwei Wochen voraus
timeline-recordings = Aufnahmen nach Tuner
timeline-tuner = Tuner { $id }
timeline-no-tuner = Kein Tuner
# Several recordings share a tuner: it receives all of their channels at once.
timeline-shared = { $count ->
    [one] 1 Aufnahme auf diesem Tuner
   *[other] { $count } Aufnahmen teilen sich diesen Tuner
}
# What a screen reader says of a recording, and what the mouse shows.
timeline-bar = { $name }, { $channel }, { $when }, { $state }
timeline-legend = Bedeutung der Farben
timeline-legend-planned = Geplant
timeline-legend-busy = Wird aufgenommen
timeline-legend-good = Vollständig
timeline-legend-warn = Konflikt oder fehlerhaft
timeline-legend-bad = Fehlgeschlagen oder verpasst
timeline-legend-padding = Vor-/Nachlauf
timeline-legend-shared = Ein Tuner für mehrere
timeline-empty = Nichts geplant.
timeline-empty-next = Wählen Sie im <link>Programm</link> eine Sendung zum Aufnehmen. Sie erscheint hier neben ihrem Tuner.


## Tuners

tuners-title = Tuner und Speicherplatz
tuners-empty = Es ist kein Tuner eingerichtet.
tuners-empty-next = Ohne Tuner kann nichts aufgenommen werden. Der Befehl „recorderd tuners discover“ findet die Tuner in Ihrem Netzwerk.
tuners-state-free = frei
tuners-state-tuning = sucht Signal
tuners-state-receiving = empfängt
# Somebody watches television with it, or it looks for guide data.
tuners-state-lent = in Benutzung
tuners-quarantined = außer Betrieb
tuners-drained = in Wartung
nodes-title = Rechner
nodes-state-leader = leitet
nodes-state-standby = bereit
nodes-state-away = nicht erreichbar
tuners-kind = Art
tuners-multiplex = Multiplex
tuners-held = Belegt bis
tuners-signal = Signal
tuners-signal-locked = erfasst
tuners-signal-none = keins
tuners-strength = Signalstärke
tuners-dbm = { NUMBER($value, maximumFractionDigits: 1) } dBm
# Signal-to-noise ratio.
tuners-snr = Rauschabstand
tuners-db = { NUMBER($value, maximumFractionDigits: 1) } dB
tuners-quality = Signalqualität
tuners-blocks = Verlorene Blöcke
tuners-trouble = Letzte Störung
tuners-trouble-at = { $at }: { $what }
tuners-out-since = Außer Betrieb seit
tuners-next-try = Nächster Versuch
tuners-received = Bisheriger Empfang
tuners-failed = Fehlversuche
tuners-lock = Zeit bis zum Signal
tuners-errors = Fehler
tuners-failed-of = { $failures } von { $tries }
# Damaged packets in a million.
tuners-per-million = { $count } pro Million
tuners-disk = Datenträger für Aufnahmen
tuners-space-room = { $hours ->
    [0] Platz für weniger als 1 Stunde
    [one] Platz für etwa 1 Stunde
   *[other] Platz für etwa { $hours } Stunden
}
tuners-space-short = Reicht nicht für alles Geplante
tuners-space-low = Fast voll
tuners-space-full = Voll: keine Aufnahmen möglich
tuners-space-offline = Nicht angeschlossen
tuners-space-left = Platz für
tuners-space-hours = { $hours ->
    [0] weniger als 1 Stunde Fernsehen
    [one] etwa 1 Stunde Fernsehen
   *[other] etwa { $hours } Stunden Fernsehen
}
tuners-free = Frei
tuners-free-of = { $free } von { $total }
tuners-planned = Verplant
tuners-full = Voll
# Unless recordings are deleted.
tuners-full-never = nicht absehbar
tuners-full-plan = { $at }, bevor alles Geplante aufgenommen ist
tuners-full-pace = { $day }, wenn Sie weiterhin so viel aufnehmen
tuners-recorder = Recorder
tuners-version = Version
tuners-since = In Betrieb seit
tuners-timers = Timer abgerufen
tuners-timers-never = noch nicht
tuners-reports = Offene Meldungen
tuners-clock = Uhr
tuners-clock-right = geht richtig
tuners-clock-unsure = geht vielleicht falsch
# The machine must not sleep then.
tuners-awake = Weckzeit
tuners-data = Datenordner


## Log

# What the recorder did, for those who look after it. Its lines are English.
log-about = Was der Recorder tut. Auf Englisch, für alle, die ihn betreuen.
log-level = Auswahl der Zeilen
log-level-info = Alle
log-level-warn = Warnungen
log-level-error = Fehler
log-line-info = Info
log-line-warn = Warnung
log-line-error = Fehler
log-count = { $count ->
    [one] 1 Zeile
   *[other] { $count } Zeilen
}
log-lines = Zeilen des Protokolls, die neuesten zuerst
log-empty = Keine Zeilen
log-empty-level = Seit dem Start des Recorders gab es keine solche Zeile. Das ist eine gute Nachricht.
log-empty-all = Seit seinem Start hat der Recorder nichts geschrieben.
log-show-all = Alle Zeilen anzeigen


## Player

player-title = Player
player-video = Video
player-recording = Aufnahme
player-live-television = Live-TV
player-play = Abspielen
player-pause = Pause
player-stop = Wiedergabe beenden
# $position is a time such as 42:10.
player-resume = Ab { $position } fortsetzen
player-from-beginning = Von Anfang an
player-next-episode = Nächste Folge: { $name }
player-other = In VLC oder mpv öffnen
player-download = Herunterladen
player-back = { $seconds ->
    [one] 1 Sekunde zurück
   *[other] { $seconds } Sekunden zurück
}
player-forward = { $seconds ->
    [one] 1 Sekunde vor
   *[other] { $seconds } Sekunden vor
}
# A button: to the newest picture of live television.
player-to-live = Live
player-position = Position
# Both values are spoken times: 1 minute 5 seconds of 30 minutes.
player-position-of = { $position } von { $length }
# $length is a spoken time.
player-missing = Es fehlt: { $length }
player-sound-on = Ton einschalten
player-sound-off = Ton ausschalten
player-volume = Lautstärke
player-floating = Bild-im-Bild
player-full = Vollbild
player-full-leave = Vollbild beenden
player-speed = Tempo
player-rate = { NUMBER($rate, maximumFractionDigits: 2) } ×
player-tuning = Empfang wird gestartet …
player-cannot = Dieser Browser kann das nicht abspielen, zum Beispiel wegen MPEG-2-Video. Verwenden Sie einen Player wie VLC.
player-no-index = Der Recorder bereitet diese Aufnahme für die Wiedergabe vor, sobald er Zeit hat. Versuchen Sie es später noch einmal oder laden Sie die Datei herunter.

# The choice between sound tracks.
player-sound = Tonspur
player-sound-number = Tonspur { $number }
player-sound-description = { $name } (Audiodeskription)
player-sound-codec = { $name } ({ $codec })
player-subtitles = Untertitel
player-subtitles-off = Untertitel aus
player-subtitles-hard-of-hearing = { $name } (für Hörgeschädigte)
# Another track with the same name.
player-track-again = { $name } ({ $number })

player-keys = Tastenkürzel
player-key-space = Leertaste, k
player-key-toggle = Wiedergabe oder Pause
player-key-skip = { $seconds ->
    [one] 1 Sekunde zurück oder vor
   *[other] { $seconds } Sekunden zurück oder vor
}
player-key-jump = { $back } Sekunden zurück, { $forward } Sekunden vor
player-key-volume = Lautstärke
player-key-mute = Ton aus oder ein
player-key-full = Vollbild
player-key-sound = nächste Tonspur
player-key-subtitles = Untertitel aus oder ein
player-key-speed = langsamer oder schneller
player-key-digits = 0 bis 9
player-key-part = zum Anfang, zu 10 %, … 90 %
player-key-help = diese Übersicht ein- oder ausblenden
player-key-escape = Esc
player-key-close = schließen


## Programme

programme-search = Titel und Beschreibungen durchsuchen
programme-search-titles = Titel durchsuchen
programme-day = Tag
programme-day-before = Vorheriger Tag
programme-day-after = Nächster Tag
programme-shows = { $count ->
    [one] 1 Sendung
   *[other] { $count } Sendungen
}
programme-results = Suchergebnisse
programme-grid = Programm nach Sender und Zeit
# The tooltip of a show in the grid: News, Today 20:00–20:15
programme-show-at = { $title }, { $when }
# Several shows of a few minutes share one place in the grid: News, Weather
programme-short-shows = { $count ->
    [one] 1 kurze Sendung: { $titles }
   *[other] { $count } kurze Sendungen: { $titles }
}
programme-short-title = Kurze Sendungen
# A channel that the guide no longer lists, by its number.
programme-channel-unknown = Sender { $id }
# Two looks: a list of what is on now and next, and a grid of channels and times
programme-look = Ansicht des Programms
programme-look-now = Jetzt und danach
programme-look-grid = Raster
programme-nothing-now = Keine Programmdaten
programme-empty = Das Programm enthält keine Sender.
programme-empty-next = Sender erscheinen hier, sobald der Programmdienst Daten für Ihre Region hat.
# A button: it shows this time in the grid
programme-prime-time = Primetime
programme-genre = Genre
genre-movie = Film und Serie
genre-news = Nachrichten
genre-show = Unterhaltung
genre-sports = Sport
genre-children = Kinder
genre-music = Musik
genre-arts = Kunst und Kultur
genre-society = Gesellschaft und Politik
genre-education = Bildung und Wissenschaft
genre-leisure = Freizeit


## Show

show-channel = Sender
show-time = Zeit
show-episode = Folge
show-categories = Kategorien
show-record = Aufnehmen
show-record-it = { $title } aufnehmen
# Notice after a click on Record.
show-booked = Vorgemerkt.
# $names: one or more channels.
show-unreceived = Vorgemerkt, aber kein Tuner empfängt { $names }. Von dort kann nichts aufgenommen werden. Ordnen Sie auf der Seite „Tuner“ einen Dienst zu.
show-cancel = Timer löschen
show-cancelled = Timer gelöscht.
show-series = Ganze Serie aufnehmen
show-series-of = Ganze Serie aufnehmen: { $title }
show-series-booked = Jede Folge wird einmal aufgenommen. Siehe „Regeln“.
show-favourite = Zu Favoriten hinzufügen
show-favourite-added = Zu den Favoriten hinzugefügt. Siehe „Regeln“.
# Searches for all broadcasts with this title.
show-alike = Alle Sendetermine
# $state: what the guide server knows of the timer, from its recorder or box.
show-booked-on = { $state ->
    [running] Vorgemerkt auf { $device }. Die Aufnahme läuft.
    [completed] Aufgenommen auf { $device }.
    [failed] Vorgemerkt auf { $device }. Die Aufnahme ist fehlgeschlagen.
    [missing] Vorgemerkt auf { $device }. Dort ist der Timer nicht mehr vorhanden.
   *[other] Vorgemerkt auf { $device }.
}
show-cancel-on = Timer löschen: { $device }


## Series and keywords

series-recorded-hint = Jede Folge wird einmal aufgenommen.
series-keywords-hint = Jede Sendung mit all diesen Wörtern im Titel wird aufgenommen, jede Folge nur einmal.
series-remove-favourite = { $title } entfernen
series-favourite-removed = Favorit entfernt.
series-any-channel = Alle Sender
# Channel and time of day: BBC One, about 20:15
series-channel-about = { $channel }, gegen { $time } Uhr
series-quality = Qualität
series-prefer-hd = HD bevorzugt
series-hd-only = Nur HD
series-prefer-sd = SD bevorzugt
series-sd-only = Nur SD
series-save = Speichern
series-saved = Gespeichert.
series-stop = Nicht mehr aufnehmen
series-stop-question = { $name } nicht mehr aufnehmen? Die Timer werden gelöscht. Vorhandene Aufnahmen bleiben erhalten.
series-stopped = { $name } wird nicht mehr aufgenommen.


## Rules

rules-new = Neue Regel
rules-empty = Keine Regeln
rules-empty-next = Legen Sie eine Regel an, oder wählen Sie im <link>Programm</link> eine Sendung und nehmen Sie die ganze Serie auf.
# What kind of entry a row of the list is.
rules-kind-series = Serie
rules-kind-keyword = Stichwort
rules-kind-favourite = Favorit
rules-paused = Pausiert
# The next recording: Next: Today 20:15 on BBC One
rules-next = Als Nächstes: { $at } auf { $channel }
rules-next-none = Keine Aufnahme geplant
rules-change = Ändern
rules-favourite-line = Nur gemerkt: Dafür wird nichts aufgenommen.
# A rule in one line: New episodes on BBC One, weekdays after 18:00, keep the newest 5
rules-line-and = { $first }, { $more }
rules-line-what = { $what ->
    [new] Neue Folgen
    [first] Erste Ausstrahlung jeder Folge
    [new-first] Erste Ausstrahlung jeder neuen Folge
   *[all] Alle Sendungen
}
rules-line-what-on = { $what ->
    [new] Neue Folgen auf { $channels }
    [first] Erste Ausstrahlung jeder Folge auf { $channels }
    [new-first] Erste Ausstrahlung jeder neuen Folge auf { $channels }
   *[all] Alle Sendungen auf { $channels }
}
# The end of a list of channels: BBC One, BBC Two and 3 others
rules-line-others = { $count ->
    [one] 1 weiterem Sender
   *[other] { $count } weiteren Sendern
}
rules-line-words = { $place ->
    [all] „{ $words }“ in Titel oder Beschreibung
   *[title] „{ $words }“ im Titel
}
rules-line-expression = { $place ->
    [all] Titel oder Beschreibung passt zu { $expression }
   *[title] Titel passt zu { $expression }
}
rules-line-series = eine Serie des Programms
rules-line-genres = Genre: { $genres }
rules-line-without = ohne „{ $words }“
rules-line-weekdays = montags bis freitags
rules-line-weekend = am Wochenende
rules-line-after = ab { $from } Uhr
rules-line-before = vor { $until } Uhr
rules-line-between = zwischen { $from } und { $until } Uhr
# weekdays after 18:00
rules-line-days-and-time = { $days } { $time }
# The length of a show
rules-line-least = mindestens { $least }
rules-line-most = höchstens { $most }
rules-line-length = { $least } bis { $most }
rules-line-keep = { $count ->
    [one] die neueste behalten
   *[other] die neuesten { $count } behalten
}
rules-field-words = Wörter im Titel
rules-field-words-all = Wörter in Titel oder Beschreibung
rules-field-words-hint = Alle, in beliebiger Reihenfolge; Anführungszeichen halten Wörter zusammen
rules-field-expression = Regulärer Ausdruck
rules-field-expression-hint = Ein Muster für mehrere Titel: ^(Tatort|Polizeiruf)
rules-field-channels = Sender
rules-channels-find = Sender suchen
rules-field-new = Nur neue Folgen
rules-more = Weitere Bedingungen
rules-group-show = Sendung
rules-group-time = Sendezeit
rules-group-recording = Aufnahme
rules-field-name = Name der Regel
rules-field-all-text = Auch in Untertitel und Beschreibung suchen
rules-field-without = Ausgeschlossene Wörter
rules-field-without-hint = Keines davon darf in Titel oder Beschreibung stehen; Anführungszeichen halten Wörter zusammen
rules-field-genres = Genres
rules-field-categories = Andere Kategorien des Programms
rules-field-categories-hint = Durch Kommas getrennt
rules-field-days = Tage
rules-field-from = Beginn ab
rules-field-until = Beginn vor
rules-field-min = Mindestlänge (Minuten)
rules-field-max = Höchstlänge (Minuten)
rules-field-first = Nur die erste Ausstrahlung jeder Folge
rules-field-keep = Aufnahmen behalten
rules-field-keep-hint = Eine neue ersetzt die älteste
rules-field-priority = Priorität (0 bis 100)
rules-field-folder = Ordner
rules-field-folder-hint = Im Ordner der Aufnahmen: Krimis/Sonntag
rules-field-paused = Pausiert: nimmt vorerst nichts auf
rules-preview = Vorschau
rules-preview-start = Geben Sie Wörter, einen Ausdruck oder ein Genre an, um zu sehen, was aufgenommen würde.
rules-preview-looking = Sendungen werden gesucht …
rules-preview-none = In den nächsten zwei Wochen passt keine Sendung.
rules-preview-records = { $total ->
    [one] Nimmt in den nächsten zwei Wochen { $records } von 1 Sendung auf.
   *[other] Nimmt in den nächsten zwei Wochen { $records } von { $total } Sendungen auf.
}
rules-preview-paused = { $total ->
    [one] Pausiert: Sie würde in den nächsten zwei Wochen { $records } von 1 Sendung aufnehmen.
   *[other] Pausiert: Sie würde in den nächsten zwei Wochen { $records } von { $total } Sendungen aufnehmen.
}
rules-preview-many = Es passen so viele Sendungen, dass nur die vor { $at } gezählt sind: nimmt { $records } von { $total } auf.
rules-preview-unidentified = { $count ->
    [one] Bei einer davon nennt das Programm die Folge nicht: Eine Wiederholung würde noch einmal aufgenommen.
   *[other] Bei { $count } davon nennt das Programm die Folge nicht: Wiederholungen würden noch einmal aufgenommen.
}
rules-preview-displaced = Anderen Aufnahmen würde ein Teil fehlen:
# News, Today 20:00–20:15: 5 min missing
rules-preview-loses = { $title }, { $when }: { $lost } fehlen
rules-preview-loses-all = { $title }, { $when }: wird nicht aufgenommen
rules-preview-unplaced = Kein Tuner ist frei für:
# A show with its time: News, Today 20:00
rules-preview-at = { $title }, { $at }
rules-preview-space = Braucht etwa { $needs } auf dem Datenträger; { $free } sind frei.
rules-preview-no-space = Braucht etwa { $needs } auf dem Datenträger, aber nur { $free } sind frei.
rules-preview-first = Nur die ersten { $count } sind aufgeführt.
rules-preview-list = Passende Sendungen
rules-saved-exceeds = Die Regel ist gespeichert, aber nicht alles kann aufgenommen werden.
# Chips: what becomes of a show that fits a rule.
rules-fate-records = Wird aufgenommen
rules-fate-noTuner = Kein Tuner
rules-fate-ordered = Schon vorgemerkt
rules-fate-otherAiring = Andere Ausstrahlung
rules-fate-recorded = Schon aufgenommen
rules-fate-declined = Abgewählt
rules-fate-repeat = Wiederholung
rules-fate-later = Spätere Ausstrahlung
rules-fate-noRoom = Limit erreicht
rules-reason-noTuner = Zu dieser Zeit sind alle Tuner belegt.
rules-reason-unidentified = Das Programm sagt nicht, welche Folge das ist.
rules-reason-ordered = Sie selbst oder eine andere Regel haben sie vorgemerkt.
rules-reason-otherAiring = Eine andere Ausstrahlung dieser Folge wird aufgenommen.
rules-reason-recorded = Diese Folge wurde schon aufgenommen.
rules-reason-declined = Sie haben den Timer dieser Folge gelöscht.
rules-reason-repeat = Es ist eine Wiederholung, und die Regel nimmt nur neue Folgen auf.
rules-reason-later = Die Regel nimmt nur die erste Ausstrahlung auf.
rules-reason-noRoom = Das Konto hat ein Limit erreicht.
# A button at a show: opens the dialog of a rule with the show’s title and channel.
rules-from-show = Ähnliches aufnehmen …
# A button beside the results of a search.
rules-from-search = Regel anlegen …
# What is wrong with a field of the dialog.
rules-mistake-name = Der Name fehlt oder ist zu lang.
rules-mistake-words = Diese Wörter sind zu lang oder enthalten weder Buchstaben noch Ziffern.
rules-mistake-expression = Dieser Ausdruck ist nicht möglich: Prüfen Sie die Klammern. Vielleicht ist er zu lang oder verwendet etwas, das es hier nicht gibt, etwa (?=…).
rules-mistake-number = Diese Zahl ist zu klein, zu groß oder keine ganze Zahl.
rules-mistake-folder = Schreiben Sie Namen, getrennt durch /, ohne Sonderzeichen: Krimis/Sonntag


## Channels and listings

channels-search = Sender durchsuchen
channels-count = { $count ->
    [one] 1 Sender.
   *[other] { $count } Sender.
} In XMLTV-Listen, aber nicht im Programm: { $unmatched }. Ohne XMLTV-Liste: { $bare }.
channels-unmatched = In XMLTV-Listen, aber nicht im Programm
channels-unmatched-list = Sender aus XMLTV-Listen ohne Zuordnung
channels-in-guide = Im Programm
channels-in-guide-list = Sender im Programm
channels-no-programmes = Keine Sendungen
channels-until = Sendungen bis: { $at }
# The channel number on the remote control; several are separated by commas.
channels-number = Programmplatz { $number }
# The triplet names a service of a DVB network: three numbers.
channels-no-triplet = Kein Triplet
channels-no-listing = Keine XMLTV-Liste
channels-listed-as = In der XMLTV-Liste
channels-is = Sender
channels-matched = Zugeordnet
channels-note = Hinweis
channels-set = Eigene Vorgabe
channels-pending = Die XMLTV-Listen werden mit dieser Einstellung gelesen. Sehen Sie gleich noch einmal nach.
channels-target = Sender im Programm
# ONID/TSID/SID is a triplet; lcn, name and ignore are typed as they stand here.
channels-target-text = Oder ONID/TSID/SID, lcn N, name NAME oder ignore
channels-use = Diesen Sender verwenden
channels-used = Einstellung gespeichert. Die XMLTV-Listen werden neu gelesen.
channels-automatic = Automatisch zuordnen
channels-automatic-done = Der Sender wird wieder automatisch zugeordnet.
channels-owners-only = Nur Besitzer des ersten Kontos auf diesem Server können Sender aus XMLTV-Listen zuordnen.
# How a channel of a listing was matched with one of the guide.
channels-by-table = von Hand
channels-by-before = wie bisher
channels-by-triplet = über das Triplet
channels-by-name = über den Namen
channels-by-short-name = über den Kurznamen
channels-by-known-name = über einen bekannten Namen
channels-by-lcn = über den Programmplatz
channels-by-new = als Sender hinzugefügt
channels-by-ignored = ausgelassen
channels-by-taken = Sender schon vergeben
listings-title = XMLTV-Listen
listings-one = XMLTV-Liste { $name }
listings-unread = Noch nicht gelesen.
listings-read = { $programmes ->
    [one] 1 Sendung
   *[other] { $programmes } Sendungen
}, gelesen: { $at }; { $flaws ->
    [0] keine Fehler
    [one] 1 Fehler
   *[other] { $flaws } Fehler
}.
# $reason is technical and in English.
listings-unreadable = Nicht lesbar (seit: { $at }). Der bisherige Inhalt gilt weiter: { $reason }
listings-pending = Die Liste wird neu gelesen. Sehen Sie gleich noch einmal nach.
listings-flaw = { $kind ->
    [ampersand] Ein einzelnes &
    [less-than] Ein einzelnes <
    [entity] Eine unbekannte Entität
    [character] Ein unzulässiges Zeichen
    [encoding] Eine falsche Zeichenkodierung
    [tag] Ein fehlerhaftes Tag
    [element] Ein Element an falscher Stelle
    [channel] Ein fehlerhafter Sender
    [time] Eine fehlerhafte Zeit
    [zone] Eine Zeit ohne Zeitzone
    [stop] Ein fehlendes oder fehlerhaftes Ende
    [overlap] Sendungen, die sich überschneiden
    [duplicate] Eine doppelt aufgeführte Sendung
    [title] Ein fehlender Titel
    [number] Eine fehlerhafte Folgennummer
   *[other] Ein Fehler
}, { $count ->
    [one] einmal
   *[other] { $count }-mal
}{ $leftOut ->
    [0] .
   *[other] , { $leftOut } ausgelassen.
}
# $reason is technical and in English.
listings-line = Zeile { $line }: { $reason }
listings-zone = Zeitzone von { $name }
listings-zone-stated = Wie angegeben
listings-zone-set = Anwenden
listings-zone-done = { $name } wird mit dieser Zeitzone neu gelesen.
reception-none-yet = Der Recorder hat die Sender des Programms noch nicht abgerufen.
reception-all = { $count ->
    [one] Der einzige Sender des Programms wird empfangen.
   *[other] Alle { $count } Sender des Programms werden empfangen.
}
reception-some = { $missing ->
    [one] 1 von { $count } Sendern des Programms wird von keinem Tuner empfangen.
   *[other] { $missing } von { $count } Sendern des Programms werden von keinem Tuner empfangen.
}
reception-missing = Von keinem Tuner empfangen
reception-missing-list = Sender, die kein Tuner empfängt
# $services: triplets, each three numbers.
reception-why = { $name }: Kein Tuner empfängt { $services }.
reception-why-unknown = { $name }: Kein Tuner bietet einen Dienst mit dieser Nummer oder diesem Namen.
reception-service = Dienst für { $name }
reception-assign = { $name } zuordnen
reception-assigned = { $name } ist jetzt { $service } zugeordnet.
reception-watch-live = Live ansehen
reception-list = Empfangene Sender
# $channel: number and name.
reception-watch = { $channel } ansehen
reception-by-hand = Von Hand zugeordnet
reception-is = { $name }: { $service }
reception-automatic = { $name } automatisch zuordnen
reception-automatic-done = { $name } wird wieder automatisch zugeordnet.


## Devices

devices-none = Noch keine. Eine Box oder ein Recorder erscheint hier nach der Anmeldung mit Ihrem Konto.
devices-silent-after = { $days ->
    [one] „Kein Kontakt“ heißt: Das Gerät hat sich seit mindestens 1 Tag nicht gemeldet.
   *[other] „Kein Kontakt“ heißt: Das Gerät hat sich seit mindestens { $days } Tagen nicht gemeldet.
}
devices-silent = kein Kontakt
devices-model = Modell
devices-number = Nummer
devices-identity = Kennung
devices-last-contact = Letzter Kontakt
devices-never = War noch nie angemeldet
devices-name = Name
devices-rename = Umbenennen
devices-renamed = Name geändert.
devices-remove = Entfernen
devices-remove-question = { $name } entfernen? Eine Box, die sich erneut anmeldet, erscheint hier wieder.
devices-removed = Entfernt.
devices-details = Empfang und Protokoll
devices-not-scanned = Das Gerät hat noch keinen Suchlauf gemeldet.
devices-scanned = { $count ->
    [one] 1 Dienst empfangen. Suchlauf: { $at }.
   *[other] { $count } Dienste empfangen. Suchlauf: { $at }.
}
devices-receives-all = Alle Sender der Region sind dabei.
devices-not-received = { $count ->
    [one] 1 Sender der Region wurde nicht gefunden: { $names }.
   *[other] { $count } Sender der Region wurden nicht gefunden: { $names }.
}
devices-no-log = Das Gerät hat noch kein Protokoll gesendet.
devices-log = Letzte Zeilen seines Protokolls, die neuesten zuerst
# Chooses the device that records.
devices-recorded-by = Aufnahmegerät


## Users

users-hint = Jede Person hat einen Namen und ein Passwort. Auch Boxen und Recorder melden sich als Benutzer an: Legen Sie für jedes Gerät ein Mitglied an.
users-add-title = Benutzer hinzufügen
users-add = Hinzufügen
users-name = Name
users-rights = Rechte
users-may-owner = Besitzer: darf alles und verwaltet Benutzer
users-may-member = Mitglied: darf ansehen, aufnehmen und Boxen verwalten
users-may-viewer = Zuschauer: darf nur ansehen
# Marks of a user.
users-role-owner = Besitzer
users-role-member = Mitglied
users-role-viewer = Zuschauer
users-you = Sie selbst
users-since = Angelegt
users-sessions = Angemeldete Geräte
users-timers = Timer
users-rules = Serien und Stichwörter
users-give = Rechte ändern
users-given = { $name } hat jetzt diese Rechte und muss sich neu anmelden.
users-remove = Entfernen
users-remove-question = { $name } entfernen? Der Benutzer und alle seine Boxen werden sofort abgemeldet. Timer und Regeln bleiben erhalten.
users-removed = Entfernt.
users-change-password = Passwort ändern …
users-new-password = Neues Passwort für { $name }
users-set-password = Passwort festlegen
users-password-set = { $name } hat ein neues Passwort und muss sich neu anmelden.


## Signing in

sign-in-verb = Anmelden
sign-in-guide-server = Programmserver
sign-in-name = Name
sign-in-email = E-Mail-Adresse
sign-in-name-or-email = Name oder E-Mail-Adresse
sign-in-password = Passwort
sign-in-new-password = Passwort, mindestens 8 Zeichen
sign-in-region = Region
sign-in-create = Konto anlegen
sign-in-create-instead = Konto anlegen …
sign-in-have-account = Ich habe ein Konto
# The words in angle brackets are a file name.
sign-in-no-account = Es gibt noch kein Konto. Um es anzulegen, öffnen Sie den Link in der Datei <code>first-account</code> im Datenordner des Servers. Nur der Betreiber des Servers kann sie lesen.
sign-in-first-account = Es gibt noch kein Konto. Legen Sie eines für Ihren Haushalt an. Auch Recorder und Boxen melden sich damit an.
sign-in-another-account = Legen Sie ein Konto für Ihren Haushalt an. Auch Recorder und Boxen melden sich damit an.
sign-in-wrong = Der Name oder das Passwort ist falsch.
sign-in-link-used = Dieser Link wurde schon benutzt oder ist abgelaufen. Holen Sie sich einen neuen.
sign-in-no-user = Noch hat kein Benutzer ein Passwort.
sign-in-no-password = Kein Passwort?
# Commands stand in angle brackets; translate NAME.
sign-in-by-command = <code>recorderd web open</code> auf dem Rechner des Recorders gibt einen Link aus, der einen Browser anmeldet. <code>recorderd web password NAME</code> legt das Passwort eines Benutzers fest.
sign-in-not-set-up = Dieser Recorder ist noch nicht eingerichtet. <code>recorderd setup --web</code> hat im Terminal oder im Protokoll einen Link ausgegeben. Der Code ist der Teil nach <code>#link=</code>. Er gilt nur einmal.
sign-in-code = Code


## Setting up

# Title of the window.
setup-page = Einrichtung
setup-title = Recorder einrichten
setup-steps = Schritte
setup-step-guide = Programmdienst
setup-step-recorder = Region und Gerät
setup-step-tuners = Tuner
setup-step-recordings = Aufnahmen
setup-step-user = Benutzer
setup-step-check = Prüfen und starten
setup-continue = Weiter
setup-more = Weitere Einstellungen
setup-timers-from = Woher kommen Ihre Timer?
setup-guide-own = Eigener Programmdienst auf diesem Rechner
setup-guide-other = Anderer Programmdienst
setup-guide-address = Adresse
setup-account = Ihr Konto
setup-account-hint = Ohne Konto wird nichts aufgenommen. Sie können sich auch später anmelden.
setup-account-own = Um ein Konto anzulegen, öffnen Sie die Seite Ihres Programmdienstes: Port { $port } dieses Rechners.
setup-api-key = API-Schlüssel des Dienstes
setup-api-key-hint = Nur manche Dienste verlangen einen. Sie erhalten ihn vom Betreiber.
setup-join = Einem Verbund von Recordern beitreten
setup-join-hint = Führen Sie auf einem anderen Recorder des Verbunds recorderd fleet invite aus, und fügen Sie die Ausgabe hier ein.
setup-join-invitation = Einladung
setup-join-node = Name dieses Recorders im Verbund (leer: der des Rechners)
setup-join-verb = Beitreten
setup-join-database-hint = Oder geben Sie die Datenbank des Verbunds an, und beantworten Sie die übrigen Fragen hier.
setup-join-database = Adresse der Datenbank
setup-join-password = Passwort der Datenbank
setup-join-secret = Geheimnis des Verbunds (leer: dieser Recorder steht nur bereit)
setup-join-stored = Die Datenbank ist vorgemerkt. Beantworten Sie nun die übrigen Fragen.
setup-time-zone = Zeitzone
setup-device = Was dieser Recorder aufnimmt
setup-device-new = Timer eines neuen Geräts: Dieser Recorder wird beim Dienst registriert
setup-device-all = Timer aller Geräte des Kontos
setup-device-one = Timer von { $device }
setup-tuners-used = Verwendete Tuner
setup-tuner = { $kind }, { $place }
setup-tuner-trying = Empfang wird getestet …
setup-tuner-untried = Noch nicht getestet.
setup-tuner-works = Funktioniert: Bild oder Ton von { $channel } nach { $time }. Empfangbare Sender des Programms: { $received } von { $count }.
setup-tuner-sign-in = Der Server verlangt Benutzername und Passwort oder lehnt die Angaben ab.
setup-tuner-scan = { $frequencies ->
    [one] Für 1 Frequenz fehlen in der Liste die Triplets. Der Tuner durchsucht sie, wenn keine Aufnahme ihn braucht.
   *[other] Für { $frequencies } Frequenzen fehlen in der Liste die Triplets. Der Tuner durchsucht sie, wenn keine Aufnahme ihn braucht.
}
setup-tuner-none = Der Tuner empfängt keinen der { $count } Sender des Programms.
# $examples: names of some of the services.
setup-tuner-others = Der Tuner empfängt keinen der { $count } Sender des Programms. Er bietet { $services ->
    [one] 1 Dienst
   *[other] { $services } Dienste
}, zum Beispiel { $examples }. Auf der Seite „Tuner“ ist die Zuordnung zu Sendern möglich.
setup-tuner-silent = { $channel }: Es kam weder Bild noch Ton an.
# $reason is a whole sentence.
setup-tuner-not-received = { $channel } wird nicht empfangen: { $reason }
setup-tuner-user = Benutzername bei { $place }
setup-tuner-password = Passwort bei { $place }
setup-tuner-sign-in-verb = Bei { $id } anmelden
setup-tuner-try = { $id } erneut testen
setup-tuner-remove = { $id } entfernen
setup-tuner-removed = Entfernt.
setup-look = Tuner suchen
setup-looked = Die Suche ist beendet.
setup-found-none = In diesem Rechner steckt keine DVB-Karte, und in seinen Netzwerken antwortet kein Server.
setup-found = Gefundene Tuner
# $tuner: kind, address and name of a tuner that was found.
setup-use = { $tuner } verwenden
setup-add-by-hand = Tuner nach Adresse hinzufügen
setup-add = Hinzufügen und testen
setup-kind = Art des Tuners
setup-channel-list = Senderliste, eine Datei auf dem Rechner des Recorders
setup-channel-list-optional = Senderliste, eine Datei auf dem Rechner des Recorders (optional)
setup-simulator = recorderd ohne Tuner ausprobieren
setup-simulator-hint = Der Sendesimulator ersetzt die Antenne. Starten Sie ihn mit <code>recorderd broadcaster</code>.
setup-simulator-add = Simulator hinzufügen
setup-kind-hdhomerun = HDHomeRun
setup-kind-satip = SAT>IP-Server
setup-kind-tvheadend = Tvheadend
setup-kind-enigma2 = Enigma2-Receiver
setup-kind-mirakurun = Mirakurun
setup-kind-dvb = DVB-Karte im Rechner des Recorders
setup-kind-url = IPTV-Liste (M3U)
setup-kind-file = Transportstrom-Datei
setup-kind-mock = Sendesimulator
setup-place-hdhomerun = Adresse des Geräts
setup-place-satip = Name oder Adresse des Servers
setup-place-tvheadend = Adresse des Servers
setup-place-enigma2 = Adresse des Receivers
setup-place-mirakurun = Adresse des Servers
setup-place-dvb = Nummer der Karte
setup-place-url = Pfad der M3U-Liste
setup-place-file = Pfad der Datei
setup-place-mock = Adresse des Sendesimulators
setup-folder = Ordner für Aufnahmen auf dem Rechner des Recorders
setup-before = Vorlauf jeder Sendung in Sekunden
setup-after = Nachlauf jeder Sendung in Sekunden
setup-user-hint = Mit diesem Namen und Passwort melden Sie sich an, wenn Sie diesen Recorder von einem anderen Rechner aus öffnen.
setup-check-account = Konto
setup-check-no-account = Keins. Sie können sich später anmelden.
setup-check-device = Nimmt auf
setup-check-padding = Vor-/Nachlauf
setup-padding = { $before } vorher, { $after } nachher
setup-folder-there = { $folder }; { $free } frei
setup-folder-new = { $folder }, wird angelegt; { $free } frei
setup-check-user = Benutzer
setup-check-fleet = Verbund
setup-check-commands = Befehle, die der Recorder ausführen wird
setup-check-file = Konfigurationsdatei
setup-write = Speichern und starten
setup-written = Die Konfiguration ist gespeichert.
setup-starting = Die Konfiguration ist gespeichert. Der Recorder startet …
# Refused answers. $reason is technical and in English.
setup-refused-address = Geben Sie eine Adresse wie https://guide.example/api ein, ohne Benutzernamen.
setup-refused-tuner = Dieser Tuner ist nicht nutzbar. Prüfen Sie Adresse und Senderliste: { $reason }
setup-refused-tuner-password = Der Server lehnt diesen Benutzernamen oder dieses Passwort ab.
setup-refused-folder-path = Geben Sie einen absoluten Pfad ein, zum Beispiel /srv/recordings.
setup-refused-folder-system = Dieser Ordner gehört zum System. Wählen Sie einen Ordner nur für Aufnahmen.
setup-refused-folder-file = Der Pfad führt zu einer Datei, nicht zu einem Ordner.
setup-refused-folder-new = Dieser Ordner ist nicht vorhanden und kann nicht angelegt werden. Legen Sie ihn auf dem Rechner des Recorders an.
setup-refused-folder-forbidden = Der Recorder darf in diesen Ordner nicht schreiben. Geben Sie ihm das Recht dazu oder wählen Sie einen anderen Ordner.
setup-refused-folder-full = Dort ist zu wenig Platz frei. Wählen Sie einen anderen Datenträger.
setup-refused-written = Inzwischen gibt es eine Konfigurationsdatei. Sie bleibt unverändert.
setup-refused-invitation = Das ist keine vollständige Einladung. Kopieren Sie den ganzen Text.
setup-refused-fleet = Dieser Recorder kann dem Verbund nicht beitreten: { $reason }


## Guide service

guide-service-timers = Timer
guide-service-timers-at = Stand: { $at }
guide-service-no-timers = Noch nicht abgerufen
guide-service-trouble = Störung
guide-service-since = Seit: { $at }
guide-service-again = Recorder neu anmelden
guide-service-hint = Verwenden Sie das Konto beim Programmdienst. Der Recorder speichert ein Token, nicht das Passwort.
guide-service-done = Beim Programmdienst angemeldet.
guide-service-done-until = Beim Programmdienst angemeldet (gültig bis: { $day }).
# States of the recorder's sign-in.
guide-service-sign-in-needed = Anmeldung nötig
guide-service-unreachable = nicht erreichbar
guide-service-not-asked = noch nicht abgefragt
guide-service-signed-in = angemeldet


## Notifications

# Line below the title: Today 20:15–21:45, ABC
notification-show = { $when }, { $channel }

notification-recorded-title = Aufgenommen: { $name }
notification-damaged-title = Fehlerhaft aufgenommen: { $name }
# 97.5 % of the programme was recorded (3.6 GB).
notification-share = { $share } der Sendung wurden aufgenommen ({ $size }).
notification-share-unknown = Wie viel von der Sendung aufgenommen wurde, ist unbekannt ({ $size }).
notification-errors = { $count ->
    [0] Keine Fehler in Bild oder Ton.
    [one] 1 Fehler in Bild oder Ton.
   *[other] { $count } Fehler in Bild oder Ton.
}
# $spans: 20:15:30–20:16:00 and 21:00:02–21:00:05
notification-gaps = Es fehlt: { $spans }
notification-gaps-picture = Kein Bild: { $spans }
notification-gaps-sound = Kein Ton: { $spans }

notification-not-recorded-title = Nicht aufgenommen: { $name }
notification-nothing-left = Bild oder Ton kam an, aber auf dem Datenträger ist nichts davon übrig.
notification-missed = Der Recorder konnte die Aufnahme nicht rechtzeitig starten. Vielleicht war er ausgeschaltet.

# Two recordings want the same tuner.
notification-conflict-title = Konflikt: { $name }
notification-conflict-busy = Zu dieser Zeit ist kein Tuner frei.
# $recordings: Tatort (20:15–21:45) and News (20:00–20:15)
notification-conflict-holders = Die Tuner werden gebraucht für: { $recordings }
notification-holder = { $name } ({ $when })
notification-conflict-choice = Wählen Sie im Dashboard, was aufgenommen werden soll.

notification-repeat-booked-title = Wiederholung vorgemerkt: { $name }
notification-repeat-booked = Diese Wiederholung wird aufgenommen: { $when }, { $channel }
# The first recording was damaged or missing, and a repeat replaced it.
notification-healed-title = Doch noch vollständig: { $name }
notification-healed = Diese Wiederholung wurde fehlerfrei aufgenommen: { $when }, { $channel }

notification-file-title = Eine Aufnahme ist beschädigt: { $name }
notification-file-changed = Die Datei wurde nach der Aufnahme verändert.
notification-file-truncated = Ein Teil der Datei fehlt.
notification-file-unreadable = Der Datenträger kann die Datei nicht lesen.
notification-file-sizes = Sie ist { $size } groß statt { $whole }.
notification-file-kept = Der Recorder lässt die Datei, wie sie ist: { $file }

notification-disk-low-title = Der Datenträger ist fast voll
notification-disk-low = Wenn der Platz nicht reicht, haben wichtigere Aufnahmen Vorrang. Löschen Sie Aufnahmen, die Sie nicht mehr brauchen.
notification-disk-full-title = Der Datenträger ist voll
notification-disk-full = Bis wieder Platz frei ist, wird nichts aufgenommen. Löschen Sie Aufnahmen, die Sie nicht mehr brauchen.
notification-disk-offline-title = Der Datenträger für Aufnahmen fehlt
notification-disk-offline = Bis er wieder da ist, wird nichts aufgenommen.
# The disk with the recorder's own files, not the one with recordings.
notification-reserve-title = Der Datenträger des Datenordners ist voll
notification-reserve = Der Recorder läuft mit einer kleinen Reserve weiter. Schaffen Sie auf diesem Datenträger Platz.
notification-data-title = Der Datenordner ist nicht beschreibbar
notification-data = Laufende Aufnahmen gehen weiter, aber keine neue beginnt. Prüfen Sie den Datenträger des Datenordners.

notification-sign-in-title = Anmeldung nötig
notification-sign-in = Melden Sie sich im Dashboard neu beim Programmdienst an. Bis dahin kommen keine neuen Timer an.
notification-guide-failed-title = Der Programmdienst ist nicht nutzbar
notification-guide-failed = Die Störung dauert schon { $duration }. Geplante Aufnahmen laufen wie vorgesehen, aber neue Timer kommen nicht an.
notification-guide-shrunk-title = Beim Programmdienst fehlen Timer
notification-guide-shrunk = Seine Liste enthält nur { $listed } von { $held } anstehenden Timern. Der Recorder behält alle, bis sicher ist, dass die fehlenden gelöscht wurden.
notification-secrets-title = Die Datei mit den Passwörtern ist nicht nutzbar
notification-secrets-earlier = Bis zum Neustart des Recorders gelten die bisherigen Passwörter.
notification-secrets-none = Geplante Aufnahmen laufen wie vorgesehen, aber neue Timer kommen nicht an, und Tuner mit Passwort funktionieren nicht.

notification-tuner-title = Tuner { $tuner } funktioniert nicht
notification-tuner = Er ist mehrmals hintereinander ausgefallen. Der Plan rechnet erst wieder mit ihm, wenn er funktioniert.
notification-clock-title = Die Uhr des Recorders geht vielleicht falsch
notification-clock = Prüfen Sie Datum und Uhrzeit des Rechners. Bis sie stimmen, beendet der Recorder keine Aufnahme nach dieser Uhr.
notification-woke-late-title = Der Rechner ist zu spät aufgewacht
notification-woke-late-wanted = Geplant: { $time }
notification-woke-late-came = Wach: { $time }

# A piece of work took all of the computing time.
notification-set-aside-title = Der Recorder war blockiert und wurde neu gestartet
notification-set-aside-rest = Der Vorgang, der ihn blockiert hat, wird für { $duration } ausgesetzt.
notification-work-guide-document = Bis dahin liest ein eigener Thread solche Dokumente.
notification-work-guide-list = Bis dahin ruft der Recorder diese Liste nicht ab und behält, was er schon hat.
notification-work-decision = Dieser Vorgang wird nicht übersprungen, denn Aufnahmen hängen von ihm ab.
notification-work-hook = Bis dahin warten die Hooks dieser Aufnahme.
notification-work-broadcast-guide = Bis dahin werden keine Programmdaten aus der Ausstrahlung gesammelt.
notification-work-stored-document = Dieser Vorgang wird nicht übersprungen, denn der Recorder ist auf ihn angewiesen.
# $work: a technical name, always in English
notification-set-aside-work = Für den Support: { $work }

# Reasons of a failure, each on a line of its own
notification-why-busy = Alle Tuner waren belegt.
notification-why-in-use = Eine andere Anwendung belegte den Tuner.
notification-why-channel = Der Recorder weiß nicht, wie er diesen Sender empfangen soll. Ordnen Sie ihn auf der Seite „Tuner“ zu.
notification-why-none = Kein Tuner kann diesen Sender empfangen.
notification-why-clock = Die Uhr des Recorders ging zu dieser Zeit falsch.
notification-why-signal = Der Tuner hat kein Signal. Prüfen Sie die Antenne und ihr Kabel.
notification-why-tuner-gone = Der Tuner antwortet nicht. Prüfen Sie Stromversorgung und Netzwerkverbindung.
notification-why-tuner-password = Der Server des Tuners lehnt das Passwort ab.
notification-why-silent = Es kam weder Bild noch Ton an.
# A part of the programme was recorded.
notification-why-interrupted = Der Empfang war unterbrochen.
notification-why-wrong = Der Tuner hat einen anderen Sender geliefert.
notification-why-encrypted = Der Sender ist verschlüsselt.
notification-why-excess = Der Tuner hat schneller Daten geliefert, als ein Sender sie übertragen kann.
notification-why-capture = Ein Fehler im Recorder hat die Aufnahme unterbrochen.
notification-why-full = Der Datenträger war voll.
notification-why-write = Die Aufnahme konnte nicht auf den Datenträger geschrieben werden.
notification-why-storage = Der Datenträger für Aufnahmen hat nicht geantwortet.
notification-why-guide-gone = Er antwortet nicht. Prüfen Sie das Netzwerk und die Internetverbindung.
notification-why-guide-certificate = Sein Zertifikat ist ungültig.
notification-why-guide-errors = Er antwortet mit Fehlern.
notification-why-log = Der Grund steht im Protokoll des Recorders.

notification-test-title = Test von recorderd
notification-test = Das ist ein Test von recorderd: Benachrichtigungen kommen hier an.
notification-mail-subject = recorderd: { $title }
# Name of the entity in Home Assistant
notification-entity = Neuigkeiten
# Last line of an e-mail: Today 20:15 (Europe/Berlin)
notification-mail-time = { $when } ({ $zone })


## Messages to the guide service

# A guide service shows them beside a timer, in at most 500 letters.
# $tuner: the name of a tuner. $span: 20:05–21:40. $at, $since, $time: a time of day, such as 20:05 or 20:05:30.
report-scheduled = Vorgemerkt auf Tuner { $tuner }, { $span } Uhr.
report-no-tuner = Kein Tuner ist frei.
report-interrupted = Unterbrochen.
report-trying = Der Recorder versucht es bis zum Ende weiter, { $span } Uhr.
# $late: a length, such as 40 s; “none” if it began in time.
report-recording = Die Aufnahme läuft auf Tuner { $tuner } seit { $since } Uhr{ $late ->
    [none] { "" }
   *[other] , { $late } verspätet
}{ $interruptions ->
    [0] { "" }
    [1] , einmal unterbrochen
   *[other] , { $interruptions }-mal unterbrochen
}.
report-withdrawn = Timer gelöscht.
report-withdrawn-kept = Timer gelöscht. Der bisher aufgenommene Teil bleibt erhalten.
report-order-kept = Der bisherige Auftrag gilt weiter.
# $reason is technical and in English.
report-not-understood = Nicht lesbar: { $reason }

# $figures is a list: 97 % of the event, 3.00 GB, no errors
report-recorded = Aufgenommen{ $verdict ->
    [perfect] , einwandfrei
    [good] , gut
    [damaged] , fehlerhaft
    [unusable] , unbrauchbar
   *[none] { "" }
}: { $figures }.
report-recorded-part = Nur teilweise aufgenommen{ $verdict ->
    [perfect] , einwandfrei
    [good] , gut
    [damaged] , fehlerhaft
    [unusable] , unbrauchbar
   *[none] { "" }
}: { $figures }.
report-recorded-unverified = Aufgenommen, aber nicht geprüft: { $figures }.
report-share = { $share } % der Sendung
report-gigabytes = { NUMBER($size, minimumFractionDigits: 2, maximumFractionDigits: 2) } GB
report-megabytes = { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB
report-no-errors = keine Fehler
report-no-clock = { $figures }; wie viel von der Sendung vorhanden ist, ist unbekannt, weil der Datenstrom keine Uhr hat
report-plain-name = unter einfachem Namen, weil der Datenträger den vollständigen Namen nicht annahm
report-flaw-continuity = { $count ->
    [one] { $count } Kontinuitätsfehler
   *[other] { $count } Kontinuitätsfehler
}
report-flaw-tables = { $count ->
    [one] { $count } Fehler in den Tabellen
   *[other] { $count } Fehler in den Tabellen
}
report-flaw-transport = { $count ->
    [one] { $count } Übertragungsfehler
   *[other] { $count } Übertragungsfehler
}
report-flaw-scrambled = { $count ->
    [one] { $count } verschlüsseltes Paket
   *[other] { $count } verschlüsselte Pakete
}
report-flaw-clock = { $count ->
    [one] { $count } Sprung der Uhr
   *[other] { $count } Sprünge der Uhr
}
report-flaw-damaged = { $count ->
    [one] { $count } beschädigtes Paket
   *[other] { $count } beschädigte Pakete
}
report-flaw-junk = { $count ->
    [one] { $count } überflüssiges Byte
   *[other] { $count } überflüssige Byte
}
# $spans is a list of times: 20:05:10–20:05:12, 20:14:30–20:45
report-gap = es fehlt { $spans }
report-gap-picture = kein Bild { $spans } (Ton vorhanden)
report-gap-sound = kein Ton { $spans }
report-hollow-picture = die Pakete des Bilds kamen, sind aber nicht decodierbar
report-hollow-picture-unchecked = die Pakete des Bilds kamen, wirken aber leer, und ffmpeg konnte sie nicht prüfen
report-hollow-sound = die Pakete des Tons kamen, sind aber nicht decodierbar
report-hollow-sound-unchecked = die Pakete des Tons kamen, wirken aber leer, und ffmpeg konnte sie nicht prüfen
# $name: language and codec of a second picture or sound, such as deu, AC-3
report-track-picture = weitere Videospur ({ $name }) fehlt { $spans }
report-track-picture-never = weitere Videospur ({ $name }) angekündigt, aber nie gesendet
report-track-sound = weitere Tonspur ({ $name }) fehlt { $spans }
report-track-sound-never = weitere Tonspur ({ $name }) angekündigt, aber nie gesendet

# $why, $trouble: whole sentences. English has no use for report-tuner-trouble: its sentences name the tuner.
report-not-recorded = Nicht aufgenommen. { $why }
report-tuner-trouble = { $trouble } (Tuner { $tuner })
report-details = ({ $details })
# Labels with values of a trouble, at the end of messages and in notifications.
trouble-value-file = Datei: { $file }
trouble-value-system = Fehlercode: { $code }
trouble-value-free = Frei auf dem Datenträger: weniger als { $size }
trouble-value-silent = Dauer ohne Empfang: { $length }
trouble-value-clock-ahead = Die Uhr ging vor um: { $by }
trouble-value-clock-behind = Die Uhr ging nach um: { $by }
trouble-value-message = Meldung der Software: { $message }
report-nothing-left = Nicht aufgenommen: Bild oder Ton kam an, aber nichts davon ist auf dem Datenträger erhalten.
report-nothing-arrived = Nicht aufgenommen: Es kam weder Bild noch Ton an.
report-too-late = Nicht aufgenommen: Die Sendezeit war vorbei, bevor die Aufnahme beginnen konnte.
report-was-asleep = Nicht aufgenommen: Der Recorder war im Ruhezustand, { $span } Uhr.
report-was-off = Nicht aufgenommen: Der Recorder war ausgeschaltet, { $span } Uhr.
report-storage-offline = Beendet. Der Datenträger fehlt seit { $at } Uhr. Die Datei wird fertiggestellt, sobald er wieder da ist.
report-storage-slow = Beendet. Der Datenträger antwortet seit { $at } Uhr nicht. Die Datei ist deshalb noch nicht fertig.
report-node-away = Beendet. Ein anderer Recorder hat einen Teil davon und ist seit { $at } Uhr ausgeschaltet. Die Datei wird fertiggestellt, sobald er wieder läuft.
report-unfinished = Beendet. Die Datei kann seit { $at } Uhr nicht fertiggestellt werden. Der Recorder versucht es weiter. { $why }

# $held is a list: sat1 records “News” 20:05–21:40; sat2 records “Tatort” 20:15–21:45
report-conflict = Konflikt: Kein Tuner ist frei.
report-conflict-held = Konflikt: Kein Tuner ist frei ({ $held }).
report-holder = { $tuner } nimmt „{ $name }“ auf, { $span } Uhr
report-remedy-withdraw = Ohne „{ $name }“ würde die Sendung aufgenommen.
report-remedy-priority = Mit Priorität { $priority } würde die Sendung aufgenommen.
report-remedy-priority-loses = Mit Priorität { $priority } würde die Sendung aufgenommen, aber diesen Aufnahmen würde ein Teil fehlen: { $names }.
report-remedy-tuner = Mit einem weiteren Tuner wie { $tuner } würde die Sendung aufgenommen.
report-remedy-none = Keine einzelne Änderung würde helfen: weder der Verzicht auf eine andere Aufnahme noch eine höhere Priorität noch ein weiterer Tuner.
# $day: Thu 26 Nov
report-remedy-repeat = Die Wiederholung am { $day }, { $time } Uhr, auf { $channel } würde aufgenommen.
report-repeat-booked = Die Wiederholung am { $day }, { $time } Uhr, auf { $channel } ist vorgemerkt.
report-repeat-healed = Die Wiederholung am { $day }, { $time } Uhr, auf { $channel } wurde vollständig aufgenommen.
# $code: the technical name of an error, always in English
report-doubt = Unsicher: Tuner { $tuner } ist seit { $since } Uhr gestört ({ $code }). Der Recorder versucht es trotzdem.
report-trim-start = Nur teilweise, ab { $at } Uhr: Vorher ist kein Tuner frei.
report-trim-start-held = Nur teilweise, ab { $at } Uhr: Vorher ist kein Tuner frei ({ $held }).
# $parts is a list of the next three. $name: a title in quotes, or “another recording”.
report-trim = Vor- oder Nachlauf gekürzt: { $parts }.
report-trim-before = Vorlauf { $length } kürzer, davor { $name }
report-trim-after = Nachlauf { $length } kürzer, danach { $name }
report-trim-late = Beginn bis zu { $length } verspätet, davor { $name }
report-title = „{ $name }“
report-another = eine andere Aufnahme
report-day = { $weekday }, { $date }

# Lists of any length: of items, of items with commas, of sentences
report-items = { $before }, { $next }
report-groups = { $before }; { $next }
report-sentences = { $before } { $next }
`;

/** English. Fluent syntax: https://projectfluent.org/fluent/guide/. Sections follow the pages; keys begin with the section's name. */
export const en = `
## Times and amounts

today = Today
tomorrow = Tomorrow
yesterday = Yesterday
# Today 20:15
day-and-time = { $day } { $time }
hours = { $hours } h
minutes = { $minutes } min
seconds = { $seconds } s

## Frame: around every page

frame-loading = Loading…
frame-waiting = Waiting for the recorder…
frame-skip = To the page
frame-pages = Pages
frame-colours = Colours: { $theme ->
    [light] light
    [dark] dark
   *[system] as the system
}
frame-language = Language
frame-signed-out = Signed out.
frame-sign-out = Sign out

## Navigation and common parts


## Tonight


## Decisions: conflicts and what solves them


## Troubles, by error code


## States and verdicts


## Details of a recording


## What happened: the history of a timer


## Recordings


## Timers


## Timeline


## Tuners


## Log


## Player


## Programme


## Show


## Series and keywords


## Channels and listings


## Devices


## Users


## Signing in


## Setting up


## Guide service


## Notifications


## Messages to the guide service
`;

// Shows the recorder's notifications (Push API). It keeps no pages: a recorder is looked at live.

self.addEventListener("push", (event) => {
  const { id, title, text, recordingId } = event.data.json();
  const path = recordingId === undefined ? "/" : `/#recording/${encodeURIComponent(recordingId)}`;
  // The same message twice replaces itself.
  const shown = { body: text, tag: id, icon: "/icon-192.png", data: { path } };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});

/** Shows the page in a window of the recorder, if one is open: the window goes there by itself. */
async function open(path) {
  const [first] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (first === undefined) return self.clients.openWindow(path);
  first.postMessage({ path });
  return first.focus();
}

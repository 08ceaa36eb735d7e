/* Shows the alerts that the service pushes. It handles no requests and keeps nothing. */

self.addEventListener('push', (event) => {
  const { title, body, path } = event.data.json()
  const options = { body, icon: 'favicon.svg', tag: path, data: { path } }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { scope } = self.registration
  const { href } = new URL(event.notification.data.path, scope)
  // Only the console itself is opened.
  if (href.startsWith(scope)) event.waitUntil(show(href))
})

async function show(href) {
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (!open) return self.clients.openWindow(href)
  await open.focus()
  return open.navigate(href)
}

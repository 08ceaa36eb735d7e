const key = 'reloaded-at'

/** Milliseconds within which a second failure is no update, but a fault. */
const soon = 10_000

/**
 * Loads the page again when a part of the console is missing: the service was updated, and has the
 * files of its new version alone.
 */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (Date.now() - last < soon) return
    event.preventDefault()
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
  })
}

const key = 'reloaded-at'

/** Milliseconds between two reloads: where a file stays away, it is a fault and no update. */
const fewestBetween = 10_000
/** Milliseconds between looks while the service does not answer. */
const pause = 2_000

/**
 * Loads the page again as soon as the service answers: it was away, or was updated and has only the
 * files of its new version. Returns what gives that up.
 */
export function reloadWhenBack(): () => void {
  const last = Number(sessionStorage.getItem(key) ?? 0)
  let timer = setTimeout(look, last + fewestBetween - Date.now())
  let isOver = false
  async function look() {
    const isBack = await isReachable()
    if (isOver) return
    if (!isBack) {
      timer = setTimeout(look, pause)
      return
    }
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
  }
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** Asks as a browser that opens the page: for other programs there is nothing at its address. */
function isReachable(): Promise<boolean> {
  const headers = { accept: 'text/html' }
  return fetch(location.href, { method: 'HEAD', cache: 'no-store', headers }).then(
    ({ ok }) => ok,
    () => false,
  )
}

import { ApiError, call, requestHeaders } from '../../../api/client.ts'
import { keyOf, queryClient } from '../../../api/hooks.ts'
import { sendPhoto } from '../../../photos/photo-requests.ts'
import { dropInstall, type Install, keepInstall, readInstalls } from './install-store.ts'

/** Milliseconds after which what did not reach the service is sent again. */
const pause = 5000
/** Milliseconds for which a device that is done stays in the list. */
const shownFor = 16 * 60 * 60 * 1000

export interface OutboxState {
  installs: readonly Install[]
  /** What is there waits for a connection. */
  isWaiting: boolean
  /** Whether this browser keeps it when the page is closed. */
  isKept: boolean
}

export type Outbox = ReturnType<typeof createOutbox>

/**
 * Keeps installed devices in the browser and sends them, one request after the other. What does not reach the
 * service is sent again; what it refuses is kept with the reason.
 */
export function createOutbox(userId: number, organizationId: number) {
  const owner = ownerOf(userId, organizationId)
  const { current, subscribe, show, forget } = createState()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isOpen = false
  let isClosed = false
  const put = async (install: Install) => {
    if (isClosed) return
    const others = current().installs.filter(({ id }) => id !== install.id)
    const installs = [...others, install].sort((one, other) => one.began - other.began)
    show({ installs })
    const isKept = await keepInstall(install)
    if (!isClosed) show({ isKept })
    void send()
  }
  const update = (id: string, change: (install: Install) => Partial<Install>) => {
    const install = current().installs.find((each) => each.id === id)
    return install ? put({ ...install, ...change(install) }) : Promise.resolve()
  }
  const send = async () => {
    if (isRunning || !isOpen) return
    isRunning = true
    clearTimeout(timer)
    try {
      for (;;) {
        const next = current().installs.find((install) => !install.fault && isUnsent(install))
        // The organization of all requests may have been changed meanwhile.
        const isOwn = requestHeaders().organization === String(organizationId)
        if (!next || !isOpen || !isOwn) break
        await sendNext(next, update)
        show({ isWaiting: false })
      }
    } catch {
      show({ isWaiting: true })
      timer = setTimeout(() => void send(), pause)
    } finally {
      isRunning = false
    }
  }
  return {
    put,
    update,
    remove: (id: string) => {
      show({ installs: current().installs.filter((each) => each.id !== id) })
      return dropInstall(id)
    },
    current,
    subscribe,
    /** Begins to send; returns what ends it. */
    open: () => {
      const sendNow = () => void send()
      isOpen = true
      void readOwn(owner).then((kept) => {
        if (isClosed) return
        const known = new Set(current().installs.map(({ id }) => id))
        show({ installs: [...kept.filter(({ id }) => !known.has(id)), ...current().installs] })
        sendNow()
      })
      addEventListener('online', sendNow)
      return () => {
        isOpen = false
        clearTimeout(timer)
        removeEventListener('online', sendNow)
      }
    },
    /** Forgets everything for good, also what is being sent now. The page that shows it is leaving. */
    close: () => {
      isClosed = true
      isOpen = false
      clearTimeout(timer)
      forget()
    },
  }
}

const empty: OutboxState = { installs: [], isWaiting: false, isKept: true }

function createState() {
  let state = empty
  const listeners = new Set<() => void>()
  return {
    current: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show: (next: Partial<OutboxState>) => {
      state = { ...state, ...next }
      for (const listener of listeners) listener()
    },
    forget: () => {
      state = empty
    },
  }
}

export function ownerOf(userId: number, organizationId: number): string {
  return `${userId} ${organizationId}`
}

/** Forgets those that were done long ago. */
async function readOwn(owner: string): Promise<Install[]> {
  const all = await readInstalls()
  const own = all.filter((install) => install.owner === owner)
  const old = own.filter((install) => !isUnsent(install) && install.began < Date.now() - shownFor)
  await Promise.all(old.map(({ id }) => dropInstall(id)))
  return own.filter((install) => !old.includes(install)).sort((a, b) => a.began - b.began)
}

export function isUnsent({ body, details, position, photos }: Install): boolean {
  return Boolean(body ?? details ?? position) || photos.some(({ image }) => image !== undefined)
}

type Update = (id: string, change: (install: Install) => Partial<Install>) => Promise<void>

/** Sends one thing; throws if it did not reach the service. */
async function sendNext(install: Install, update: Update): Promise<void> {
  try {
    await update(install.id, await sendPart(install))
  } catch (error) {
    if (mayPass(error)) throw error
    const errors = error instanceof ApiError ? error.errors : {}
    const message = error instanceof Error ? error.message : String(error)
    await update(install.id, () => ({ fault: { message, errors } }))
  }
}

/** What is left to send afterwards. Meanwhile, more may have been added. */
async function sendPart(install: Install): Promise<(now: Install) => Partial<Install>> {
  const { id, body, values, details, position } = install
  const path = { device_id: values.deviceId }
  if (body) {
    const answer = await call('POST /devices', { body }, { idempotencyKey: id })
    void queryClient.invalidateQueries({ queryKey: keyOf('GET /fleet/devices') })
    const device = 'device' in answer ? answer.device.id : undefined
    return () => ({ body: undefined, device, values: withoutKeys(values) })
  }
  if (details) {
    await call('PATCH /devices/{device_id}', { path, body: details })
    return (now) => ({ details: now.details === details ? undefined : now.details })
  }
  if (position) {
    const { plan, x, y } = position
    await call('PUT /floor-plans/{plan_id}/devices/{device_id}', {
      path: { ...path, plan_id: String(plan) },
      body: { x, y },
    })
    return (now) => ({ position: now.position === position ? undefined : now.position })
  }
  const photo = install.photos.find(({ image }) => image !== undefined)
  if (photo?.image) await sendPhoto(values.deviceId, { ...photo, image: photo.image })
  return ({ photos }) => ({
    photos: photos.map((each) => (each.id === photo?.id ? { ...each, image: undefined } : each)),
  })
}

export function withoutKeys(values: Install['values']): Install['values'] {
  return { ...values, deviceKey: '', lorawan: { ...values.lorawan, networkKey: '' } }
}

/** Whether the same request can succeed later. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { status, retryAfter } = error
  return status === 0 || status === 401 || status >= 500 || retryAfter !== undefined
}

import type { RequestParts } from '../../../api/client.ts'
import { installsName } from '../../../session/kept-installs.ts'
import type { FormValues, RegistrationBody } from '../register/registration-form.ts'

/** A device that is installed now, and what of it is not sent yet: kept in this browser until it is. */
export interface Install {
  /** Says to the service that a repeated request is the same one. */
  id: string
  /** Of whom: user and organization. */
  owner: string
  began: number
  network: { key: string; name: string }
  /** As entered, without keys once the device is registered. */
  values: FormValues
  /** Until the device is registered. */
  body: RegistrationBody | undefined
  /** Its id, once it is registered. */
  device: number | undefined
  details: RequestParts<'PATCH /devices/{device_id}'>['body'] | undefined
  /** As kept, sent or not. */
  notes: string
  position: PlanPosition | undefined
  photos: readonly InstallPhoto[]
  /** Why the service does not take what is next; nothing is lost by it. */
  fault: InstallFault | undefined
}

export interface PlanPosition {
  plan: number
  x: number
  y: number
}

export interface InstallPhoto {
  id: string
  thumbnail: Blob
  /** Until it is sent. */
  image: Blob | undefined
}

export interface InstallFault {
  message: string
  errors: Record<string, string[]>
}

const storeName = 'installs'

/** Reads what this browser has kept of all users. Without a database, nothing outlives the page. */
export async function readInstalls(): Promise<Install[]> {
  return (await inStore('readonly', (store) => store.getAll())) ?? []
}

/** Tells whether it worked. */
export async function keepInstall(install: Install): Promise<boolean> {
  return (await inStore('readwrite', (store) => store.put(install))) !== undefined
}

export async function dropInstall(id: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(id))
}

/** The database is open only for one action, so that logging out can delete it. */
async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open(installsName, 1)
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(storeName, { keyPath: 'id' })
    }
    const database = await resultOf(opening)
    try {
      const transaction = database.transaction(storeName, mode)
      const end = endOf(transaction)
      const result = resultOf(act(transaction.objectStore(storeName)))
      return (await Promise.all([result, end]))[0]
    } finally {
      database.close()
    }
  } catch {
    return undefined
  }
}

/** A disk that is full shows only here. */
function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

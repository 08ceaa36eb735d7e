import { ApiError } from '../../clients/typescript/src/errors.ts'
import type { Ask } from './service.ts'

/** Names are not unique. The search reads at most this many devices. */
const most = 50

/**
 * The EUI or id of a device that is given by it, or by its name in any case.
 * @throws ApiError that says which devices there are if no or several devices have the name.
 */
export async function findDevice(ask: Ask, text: string): Promise<string> {
  const wanted = text.trim()
  const digits = wanted.replace(/[\s:.-]/g, '')
  if (/^[0-9a-f]{16}$/i.test(digits)) return digits
  if (/^\d{1,10}$/.test(wanted)) return wanted
  const { data } = await ask('listFleetDevices', { search: wanted, limit: most })
  const isName = ({ device_name: name }: { device_name: string }) =>
    name.trim().toLowerCase() === wanted.toLowerCase()
  const named = data.filter(isName)
  const [found, ...others] = named
  if (found && others.length === 0) return found.device_id
  const near = (found ? named : data).slice(0, 10)
  const list = near.map((each) => `${each.device_name} (${each.device_id})`).join(', ')
  const fault = found
    ? 'Several devices have this name: name one by its EUI.'
    : 'No device has this name.'
  const message = near.length > 0 ? `${fault} There are: ${list}.` : fault
  throw new ApiError(message, { status: 404 })
}

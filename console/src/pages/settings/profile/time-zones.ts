export interface ZoneChoice {
  value: string
  /** "Europe/Lisbon (UTC+1)". */
  label: string
}

/** Browsers list these zones under the names that they had before. People search for the new ones. */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Every zone that the browser knows, with its offset now. */
export function listZones(now: Date): ZoneChoice[] {
  const listed = Intl.supportedValuesOf('timeZone').map((name) => renamed[name] ?? name)
  const names = new Set(['UTC', ...listed.sort()])
  return [...names].map((name) => ({ value: name, label: labelOf(name, now) }))
}

export function labelOf(name: string, now: Date): string {
  return name === 'UTC' ? name : `${name.replaceAll('_', ' ')} (${offsetOf(name, now)})`
}

/** "UTC+5:30". */
function offsetOf(timeZone: string, now: Date): string {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value
  return offset?.replace('GMT', 'UTC') ?? ''
}

/** Zones in which each word of the search occurs: "lisbon", "europe +2", "new york". */
export function searchZones(zones: readonly ZoneChoice[], search: string): ZoneChoice[] {
  const words = search.toLowerCase().replaceAll(/[_/]/g, ' ').split(/\s+/).filter(Boolean)
  return zones.filter(({ label }) => {
    const text = label.toLowerCase().replaceAll('/', ' ')
    return words.every((word) => text.includes(word))
  })
}

/** The regional channel plans that the service offers, in the order the API lists them. */
export const regions = [
  'US915',
  'EU868',
  'AU915',
  'AS923',
  'CN470',
  'EU433',
  'KR920',
  'RU864',
  'CN779',
  'IN865',
] as const

export type Region = (typeof regions)[number]

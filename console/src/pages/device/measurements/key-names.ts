/** "Wind speed average" of `windSpeedAverage`. Keys of other forms stay as they are. */
export function nameOfKey(key: string): string {
  if (!/^[a-z][a-zA-Z0-9]*$/.test(key)) return key
  const words = key.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  if (words === 'rssi' || words === 'snr') return words.toUpperCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** "48.1370° N, 11.5750° E". */
export function placeText(lat: number, lng: number): string {
  const write = (degrees: number, [plus, minus]: [string, string]) =>
    `${Math.abs(degrees).toFixed(4)}° ${degrees < 0 ? minus : plus}`
  return `${write(lat, ['N', 'S'])}, ${write(lng, ['E', 'W'])}`
}

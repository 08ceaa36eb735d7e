/** "Room 10" after "Room 09"; empty after a name without a number at its end. */
export function nextName(last: string | undefined): string {
  const [, words = '', digits = ''] = /^(.*?)(\d{1,9})$/.exec(last ?? '') ?? []
  if (digits === '') return ''
  return words + String(Number(digits) + 1).padStart(digits.length, '0')
}

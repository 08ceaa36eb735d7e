export function SessionDialog() {
  return null
}

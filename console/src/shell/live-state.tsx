export function LiveState() {
  return null
}

export function JobsIndicator() {
  return null
}

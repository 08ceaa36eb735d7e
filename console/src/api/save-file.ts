/** Lets the browser save content as a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser reads the content after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

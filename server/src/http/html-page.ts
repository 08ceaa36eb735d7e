/** Headers of an HTML page whose browser may load only what the `allowed` directives name. */
export function pageHeaders(...allowed: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
  }
}

/** The beginning of all links of a page. Without a host, so that they work under any host name. */
export function pathPrefixOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '')
}

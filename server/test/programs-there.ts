import { execFileSync } from 'node:child_process'

/** Whether the machine has a program of this name. */
export function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`])
    return true
  } catch {
    return false
  }
}

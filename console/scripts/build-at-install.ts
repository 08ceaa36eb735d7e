import { spawnSync } from 'node:child_process'

/**
 * npm runs this as "prepare", after `npm ci`. It runs it for `npx --no-install lora-console` too, which needs no
 * console and would wait for it.
 */
if (process.env.npm_command !== 'exec') {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], {
    stdio: 'inherit',
    // npm is a script on Windows, which only a shell finds.
    shell: process.platform === 'win32',
  })
  process.exitCode = status ?? 1
}

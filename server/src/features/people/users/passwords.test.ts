import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from './passwords.ts'

test('hashes with argon2id at the cost that OWASP names, salted', async () => {
  const [first, second] = [await hashPassword('same words'), await hashPassword('same words')]
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
  assert.equal(await isPassword('same words', first), true)
  assert.equal(await isPassword('same words', second), true)
})

test('reads hashes of another cost', async () => {
  // The test vector of the reference implementation (P-H-C/phc-winner-argon2, src/test.c).
  const phc =
    '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await isPassword('password', phc), true)
  assert.equal(await isPassword('Password', phc), false)
})

test('an accent is the same in one character and in two, also of an earlier hash', async () => {
  const [one, two] = ['Grüße vom Öltank', 'Grüße vom Öltank'.normalize('NFD')]
  assert.notEqual(one, two)
  for (const stored of [one, two]) {
    const hash = await hashPassword(stored)
    assert.deepEqual([await isPassword(one, hash), await isPassword(two, hash)], [true, true])
    assert.equal(await isPassword('Grusse vom Oltank', hash), false)
  }
  // Of the two characters, from before both were the same.
  const earlier =
    '$argon2id$v=19$m=19456,t=2,p=1$GZUPiqHnCnTFVaGNeFnSmQ$dzTCdurZhkNsA31vE7JxFfOJYB8N3BevpqcebvywblU'
  assert.deepEqual([await isPassword(one, earlier), await isPassword(two, earlier)], [true, true])
})

const different = [
  '',
  'Secret words',
  'secret words ',
  ' secret words',
  'secret words\u0000',
  'secret',
]
for (const guess of different) {
  test(`takes ${JSON.stringify(guess)} for another password than "secret words"`, async () => {
    assert.equal(await isPassword(guess, await secretHash), false)
  })
}
const secretHash = hashPassword('secret words')

test('tells passwords apart beyond the lengths at which others cut', async () => {
  const long = 'x'.repeat(1023)
  const hash = await hashPassword(`${long}a`)
  assert.equal(await isPassword(`${long}a`, hash), true)
  assert.equal(await isPassword(`${long}b`, hash), false)
})

// shows 10.4.7
test('takes as long for nobody as for somebody', async () => {
  const hash = await secretHash
  const measure = async (phc: string | undefined) => {
    // CPU time of all threads: other work on the machine stretches wall time.
    const begun = process.cpuUsage()
    assert.equal(await isPassword('a guess', phc), false)
    const { user, system } = process.cpuUsage(begun)
    return user + system
  }
  const times = { somebody: Number.POSITIVE_INFINITY, nobody: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 8; round += 1) {
    times.somebody = Math.min(times.somebody, await measure(hash))
    times.nobody = Math.min(times.nobody, await measure(undefined))
  }
  // The minimum of each, because other work only adds time. Without the hash it would be a
  // hundredth.
  const ratio = times.nobody / times.somebody
  assert.ok(ratio > 0.5 && ratio < 2, `${ratio}`)
})

test('does not take a damaged hash for a wrong password', async () => {
  await assert.rejects(isPassword('a guess', '$2b$12$abcdefghijklmnopqrstuv'), /not an argon2id/)
})

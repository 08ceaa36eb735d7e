import assert from 'node:assert/strict'
import { findAccountFaults } from '../src/networks/account-fields.ts'
import type { AccountValues, Network } from '../src/networks/network.ts'

/**
 * Replaces one good value after another with a wrong one. Only that field must then have a fault.
 */
export function checkWrongFields(
  network: Network,
  good: AccountValues,
  wrong: Record<string, readonly string[]>,
): void {
  assert.ok(Object.keys(wrong).length > 0)
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) {
      const faults = findAccountFaults(network, { ...good, [field]: value })
      assert.deepEqual(Object.keys(faults), [field], value)
    }
  }
}

/** The names of the account's secret fields. */
export function secretsOf({ accountFields }: Network): string[] {
  return accountFields.filter(({ secret }) => secret).map(({ name }) => name)
}

import { z } from 'zod'
import { notFound } from '../../http/errors.ts'
import { queryChoice } from '../../http/fields.ts'
import { findNetwork } from '../../networks/index.ts'
import type { Network } from '../../networks/network.ts'

/** The parameters that the endpoints of one account share. */
export const accountParams = z.object({
  network: z.string().meta({ description: 'Network key.', examples: ['chirpstack'] }),
})

export const registerMethodField = queryChoice('register method', [
  'user_account',
  'vendor',
]).default('user_account')

export const accountQuery = z.object({ register_method: registerMethodField })

/** The network of the path, by its key or its neutral name. */
export function readNetwork(key: string): Network {
  const network = findNetwork(key)
  if (!network) throw notFound('Network not found')
  return network
}

export const noAccount = 'Network account not found'

import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Ask } from './service.ts'

/** What can be asked of this program. */
export interface Tool {
  name: string
  title: string
  /** When to use it, for the model. */
  description: string
  input: z.ZodObject
  /** It changes something, and needs this permission. */
  changes?: 'manage_devices'
  /** Doing it twice does no more than doing it once. */
  isIdempotent?: boolean
  run(ask: Ask, input: never): Promise<CallToolResult>
}

/** A tool whose `run` gets what `input` has read. */
export function tool<S extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: S
    run(ask: Ask, input: z.output<S>): Promise<CallToolResult>
  },
): Tool {
  return definition
}

export const device = z
  .string()
  .min(1)
  .max(255)
  .describe('DevEUI (16 hexadecimal digits), id or whole name of the device')

/** Of a filter. */
export const tag = z
  .string()
  .max(321)
  .optional()
  .describe('Key of a tag, or key and value as floor:2')

export function limit(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual).describe('The most records')
}

/** A part of a device's settings. */
export const section = z.enum(['sensor', 'general', 'advanced'])

export const instant = z.iso.datetime({ offset: true })

import type { Sampling } from './tracer.ts'

/** Where traces are sent, and which. */
export interface TraceSettings {
  /** The whole address, with `/v1/traces`. */
  url: string
  headers: Readonly<Record<string, string>>
  /** What describes this service: `service.name` and others. */
  resource: Readonly<Record<string, string>>
  sampling: Sampling
}

/** The samplers of OTEL_TRACES_SAMPLER, with what each makes of the ratio. */
export const samplers = {
  always_on: () => ({ ratio: 1, follows: false }),
  always_off: () => ({ ratio: 0, follows: false }),
  traceidratio: (ratio: number) => ({ ratio, follows: false }),
  parentbased_always_on: () => ({ ratio: 1, follows: true }),
  parentbased_always_off: () => ({ ratio: 0, follows: true }),
  parentbased_traceidratio: (ratio: number) => ({ ratio, follows: true }),
} satisfies Record<string, (ratio: number) => Sampling>

export type SamplerName = keyof typeof samplers

/**
 * Reads `key=value,other=value`, where values are percent-encoded (W3C Baggage, as OpenTelemetry
 * uses it for headers and attributes); undefined where that is not its form.
 */
export function readPairs(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '')
  const read = pairs.map((pair) => /^\s*([!#$%&'*+.^_`|~\w/-]+)\s*=\s*(.*?)\s*$/.exec(pair))
  try {
    return Object.fromEntries(
      read.map((found) => {
        const value = decodeURIComponent(found?.[2] ?? '')
        // biome-ignore lint/suspicious/noControlCharactersInRegex: no header may have them
        if (!found || /[\u0000-\u001f\u007f]/.test(value)) throw new URIError()
        return [found[1], value]
      }),
    )
  } catch {
    return undefined
  }
}

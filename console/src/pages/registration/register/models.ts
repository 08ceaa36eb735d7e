import type { Schemas } from '../../../api/generated.ts'

/** A model of the catalogue. */
export type Model = Schemas['CatalogueModel']

/** How devices of a model speak LoRaWAN in a region. */
export type RadioProfile = Schemas['CatalogueProfile']

export function nameOf({ vendor, model }: Pick<Model, 'vendor' | 'model'>): string {
  return `${vendor} ${model}`
}

import type { Schemas } from '../../../api/generated.ts'

export type Source = Schemas['CatalogueSource']

/** Answers that are old after a change of the catalogues. */
export const sourceReads = ['GET /device-catalogue/sources', 'GET /device-catalogue'] as const

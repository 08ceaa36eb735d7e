import packageFile from '../../../package.json' with { type: 'json' }
import type { Route } from '../http/endpoint.ts'
import { type OpenApiDocument, openApiDocument } from '../http/openapi.ts'
import { enumerations } from './enumerations.ts'

interface Place {
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string
  /** `/v1`. */
  basePath: string
}

/** The service's OpenAPI document, with its names. */
export function referenceDocument<S>(routes: readonly Route<S>[], place: Place): OpenApiDocument {
  return openApiDocument(routes, { ...place, version: packageFile.version, enumerations })
}

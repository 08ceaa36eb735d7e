import packageFile from '../../../package.json' with { type: 'json' }
import type { Route } from '../http/endpoint.ts'
import { type OpenApiDocument, openApiDocument } from '../http/openapi.ts'
import type { Naming } from '../http/openapi-names.ts'
import { enumerations } from './enumerations.ts'
import { sectionOf } from './openapi-sections.ts'
import { operationNames } from './operation-names.ts'

interface Place {
  /** Where clients reach the service, without a slash at the end. */
  publicUrl: string
  /** `/v1`. */
  basePath: string
}

const naming: Naming = {
  nameOf(method, url) {
    const name = operationNames[`${method} ${url}`]
    if (!name) throw new Error(`reference/operation-names.ts has no name for ${method} ${url}`)
    return name
  },
  enumerations,
}

/** The service's OpenAPI document, with its sections and names. */
export function referenceDocument<S>(routes: readonly Route<S>[], place: Place): OpenApiDocument {
  return openApiDocument(routes, { ...place, version: packageFile.version, sectionOf, naming })
}

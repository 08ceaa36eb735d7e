/** A call that the simulator received. */
export interface FarCall {
  method: string
  /** Without the query. */
  path: string
  /** The path of the route, such as `/devices/:devEui`. */
  route: string
  params: Record<string, string>
  query: Record<string, string>
  /** The names are in lower case. */
  headers: Record<string, string>
  /** The parsed JSON or form; the text if the body is neither. */
  body: unknown
  text: string
  /** Absent until the simulator has answered. */
  answer?: FarAnswer
}

export interface FarAnswer {
  status: number
  /** JSON, or a plain text if this is a string. */
  body?: unknown
  headers?: Record<string, string>
}

/** HTTP method, path with `:parameters`, and handler. */
export type FarRoute = readonly [
  method: string,
  path: string,
  handle: (call: FarCall) => FarAnswer | Promise<FarAnswer>,
]

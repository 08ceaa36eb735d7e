/** A call as the simulator received it. */
export interface FarCall {
  method: string
  /** Without the query. */
  path: string
  /** The route's, such as `/devices/:devEui`. */
  route: string
  params: Record<string, string>
  query: Record<string, string>
  /** By lower-case name. */
  headers: Record<string, string>
  /** Parsed JSON or form; the text where it is neither. */
  body: unknown
  text: string
  /** Absent until the simulator has answered. */
  answer?: FarAnswer
}

export interface FarAnswer {
  status: number
  /** JSON, unless it is a text. */
  body?: unknown
  headers?: Record<string, string>
}

/** Method, path with `:parameters`, and handler. */
export type FarRoute = readonly [
  method: string,
  path: string,
  handle: (call: FarCall) => FarAnswer | Promise<FarAnswer>,
]

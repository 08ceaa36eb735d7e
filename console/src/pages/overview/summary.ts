import type { Schemas } from '../../api/generated.ts'

export type Summary = Schemas['FleetSummary']

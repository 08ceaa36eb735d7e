import { createOutside } from '../src/networks/outside.ts'

/** For tests, whose networks are on this machine. */
export const thisMachine = createOutside({ allowsLocal: true, listed: [] })

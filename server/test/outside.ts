import { createOutside } from '../src/networks/outside.ts'

/** For tests, in which the networks run on this machine. */
export const thisMachine = createOutside({ allowsLocal: true, listed: [] })

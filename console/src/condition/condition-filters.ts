import type { Filter } from '../ui/list/filter-bar.tsx'
import { type Verdict, wordOfState } from './conditions.ts'

/** Which registration devices or gateways have at their network. */
export const registrationFilter: Filter = {
  name: 'status',
  label: 'Registration',
  choices: [
    { value: 'active', label: 'Registered' },
    { value: 'pending', label: 'Pending' },
    { value: 'register_error', label: 'Registration error' },
  ],
}

/** Which of these verdicts they have. */
export function conditionFilter(states: readonly Verdict['state'][]): Filter {
  return {
    name: 'verdict',
    label: 'Condition',
    choices: states.map((value) => ({ value, label: wordOfState(value) })),
  }
}

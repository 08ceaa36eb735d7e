import { t } from '../languages/text.ts'
import type { Filter } from '../ui/list/filter-bar.tsx'
import { type Verdict, wordOfState } from './conditions.ts'

/** Which registration devices or gateways have at their network. */
export const registrationFilter: Filter = {
  name: 'status',
  label: t('Registration'),
  choices: [
    { value: 'active', label: t('Registered') },
    { value: 'pending', label: t('Pending') },
    { value: 'register_error', label: t('Registration error') },
  ],
}

/** Which of these verdicts they have. */
export function conditionFilter(states: readonly Verdict['state'][]): Filter {
  return {
    name: 'verdict',
    label: t('Condition'),
    choices: states.map((value) => ({ value, label: wordOfState(value) })),
  }
}

import { t, type Values } from '../languages/text.ts'

/*
 * What the service says of a refused request, by the code of the message, in the language of the page.
 * A code that is not here is about one thing only: its English message is shown.
 */

const words: Record<string, (values: Values) => string> = {
  required: () => t('This field is required.'),
  required_by_model: () => t('The catalogue says that this model needs it.'),
  not_text: () => t('Enter a text.'),
  not_integer: () => t('Enter a whole number.'),
  not_number: () => t('Enter a number.'),
  not_uuid: () => t('Enter a UUID.'),
  not_email: () => t('This is no e-mail address.'),
  not_time_zone: () => t('This is no time zone.'),
  not_time: () => t('This is no valid time.'),
  not_hexadecimal: () => t('Only the digits 0–9 and the letters A–F are allowed.'),
  not_whole_bytes: () => t('Enter whole bytes, with two hexadecimal digits each.'),
  not_one_line: () => t('Enter one line, without control characters.'),
  not_allowed_character: () => t('This contains a character that is not allowed.'),
  separated: (values) => t('Enter {length} characters, without dashes and colons.', values),
  exact_length: (values) => t('Enter exactly {length} characters.', values),
  exact_digits: (values) => t('Enter {length} digits.', values),
  too_long: (values) => t('Enter at most {limit} characters.', values),
  too_short: (values) => t('Enter at least {limit} characters.', values),
  too_many_entries: (values) => t('At most {limit} entries are possible.', values),
  not_in_range: (values) => t('Enter a number from {min} to {max}.', values),
  too_small: (values) => t('Enter at least {min}.', values),
  negative: () => t('This may not be negative.'),
  out_of_range: () => t('This number is out of range.'),
  too_large: () => t('This is too large.'),
  not_one_of: (values) => t('Choose one of these: {choices}', values),
  invalid: () => t('This choice is not valid.'),
  taken: () => t('This is in use already.'),
  not_in_future: () => t('Choose a time in the future.'),
  not_before_end: () => t('The beginning must be before the end.'),
  range_too_long: () => t('This period is too long. Choose a shorter one.'),
  wrong_code: () => t('This code is wrong, too old, or was used before.'),
  wrong_password: () => t('This password is wrong.'),
  password_needed: () => t('Enter your current password.'),
  password_common: () => t('This password is too common.'),
  password_repeats: () => t('The password may not repeat one piece.'),
  password_sequence: () => t('The password may not be a sequence.'),
  password_is_email: () => t('The password may not be your e-mail address.'),
  password_same: () => t('The new password must differ from the current one.'),
  password_proof_too_old: () => t('This took too long. Confirm your password again.'),
  link_too_old: () => t('This was used already or is too old. Ask for another one.'),
  name_differs: () => t('This is not the name of the organization.'),
  already_member: () => t('This person is a member already.'),
  owner_stays: () => t('An organization must keep its owner.'),
  limit_reached: (values) => t('The limit of {limit} is reached.', values),
  gateway_not_found: () => t('This gateway does not exist.'),
  device_not_found: () => t('This device does not exist.'),
  group_not_found: () => t('This group does not exist.'),
  wrong_credentials: () => t('The e-mail address or the password is wrong.'),
  not_member: () => t('You are not a member of this organization.'),
  permission_missing: () => t('You do not have the permission for this.'),
  permission_not_yours: () => t('You cannot grant a permission that you do not have.'),
  two_factor_required: () =>
    t('This organization requires two-factor authentication. Set it up first.'),
  session_ended: () => t('An administrator has ended your session. Log in again.'),
  owners_only: () => t('Only an owner of the organization can do this.'),
  too_many_requests: () => t('Too many requests. Try again later.'),
  busy: () => t('The service is busy. Try again shortly.'),
  took_too_long: () => t('This took too long. Try again later.'),
  server_error: () => t('The service has a problem. Try again later.'),
  body_too_large: () => t('This is too much at once.'),
}

type ByField<Each> = Record<string, readonly Each[]>

interface Refusal {
  message: string
  errors: ByField<string>
  /** Of the message, where there are no errors by field. */
  code: string | null
  codes: ByField<string>
  values: ByField<Values>
}

/** The same refusal with the messages that are known in the language of the page. */
export function translateRefusal({ message, errors, code, codes, values }: Refusal) {
  const entries = Object.entries(errors).map(([field, messages]): [string, string[]] => [
    field,
    messages.map((english, at) => {
      const say = words[codes[field]?.[at] ?? '']
      return say ? say(values[field]?.[at] ?? {}) : english
    }),
  ])
  const translated = Object.fromEntries(entries)
  const [first] = entries
  // Without values: a message with some has errors by field.
  const said = code !== null && !first ? words[code] : undefined
  const own = said?.length === 0 ? said({}) : undefined
  return { message: first?.[1][0] ?? own ?? message, errors: translated }
}

/** Header in which networks send the callback's secret. */
export const callbackHeader = 'x-callback-secret'

/** What became of the callback at its network. */
export interface CallbackState {
  /**
   * `set`: nothing is left to do for `setCallback`; `unused`: the account has none, since its
   * messages are fetched; `missing`: the network does not send to it;
   * `changed`: it does not work as it is now; `paused`: the network has stopped sending to it after
   * failures.
   */
  state: 'set' | 'unused' | 'missing' | 'changed' | 'paused'
  /**
   * What is wrong, and of one that is set what its owner should know of it: whole sentences, or
   * empty.
   */
  words: string
}

import type { FlowOptions } from '../../src/index.ts';

/** The policies of the bench, one a suite, as somebody would write them who knows the tools and not the tasks. */
export const policies: { readonly [suite: string]: FlowOptions } = {
  banking: {
    sources: {
      'get_iban|get_balance|get_user_info|get_scheduled_transactions': 'trusted',
      // The sender of a payment chooses its subject, and somebody who wants money back sends some.
      get_most_recent_transactions: { trusted: ['id', 'recipient', 'amount', 'date', 'recurring'] },
    },
    sinks: {
      'send_money|schedule_transaction': { from: ['recipient'], text: ['subject'] },
      update_scheduled_transaction: { from: ['id', 'recipient'], text: ['subject'] },
      update_password: { from: ['password'] },
      update_user_info: { from: ['first_name', 'last_name', 'street', 'city'] },
    },
  },
  slack: {
    sources: {
      // The workspace's own list of accounts. Anybody in it can name a channel, and write a message.
      get_users_in_channel: 'trusted',
      'read_channel_messages|read_inbox': { trusted: ['sender'] },
    },
    sinks: {
      send_direct_message: { from: ['recipient'], text: ['body'] },
      send_channel_message: { from: ['channel'], text: ['body'] },
      invite_user_to_slack: { from: ['user', 'user_email'] },
      add_user_to_channel: { from: ['user', 'channel'] },
      remove_user_from_slack: { from: ['user'], untouched: true },
      // Reading a page sends what stands in its address.
      get_webpage: { from: ['url'] },
      post_webpage: { from: ['url'], text: ['content'] },
    },
  },
};

/** What would ask less in Slack, and what it costs: the messages of colleagues are trusted, or the list of channels is, too. */
export const looser: { readonly [label: string]: FlowOptions } = {
  'ours, colleagues trusted': {
    ...policies['slack'],
    sources: { get_users_in_channel: 'trusted', 'read_channel_messages|read_inbox': 'trusted' },
  },
  'ours, colleagues and channel names trusted': {
    ...policies['slack'],
    sources: { 'get_users_in_channel|get_channels|read_channel_messages|read_inbox': 'trusted' },
  },
};

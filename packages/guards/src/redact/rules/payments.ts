import { loose, middle, type SecretRule, token } from '../rule.ts';

/** Payments, commerce and logistics. */
export const PAYMENTS: readonly SecretRule[] = [
  token(
    'stripe-key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'rk_prod_'],
    '[A-Za-z0-9]{10,247}',
  ),
  token('webhook-secret', 'whsec_', '[A-Za-z0-9+/]{24,80}={0,2}'),
  token('square-access-token', ['sq0atp-', 'sq0idp-'], '[\\w-]{22}'),
  token('square-secret', 'sq0csp-', '[\\w-]{43}'),
  loose('square-token', 'EAAA', '[\\w-]{60}'),
  token('shopify-token', ['shpat_', 'shpss_', 'shpca_', 'shppa_', 'shptka_', 'atkn_'], '[a-fA-F0-9]{32,64}'),
  token('braintree-token', 'access_token$', '(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}'),
  token(
    'plaid-access-token',
    ['access-sandbox-', 'access-development-', 'access-production-'],
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  ),
  token('razorpay-key', ['rzp_live_', 'rzp_test_'], '[A-Za-z0-9]{14}'),
  token('flutterwave-key', ['FLWSECK_TEST-', 'FLWSECK-', 'FLWPUBK_TEST-'], '[a-hA-H0-9]{12,32}(?:-X)?'),
  token('adyen-key', 'AQE', '[a-z0-9][A-Za-z0-9+/=_-]{100,300}'),
  loose('mollie-key', ['live_', 'test_'], '[A-Za-z0-9]{30}'),
  loose('gocardless-token', ['live_', 'sandbox_'], '[\\w-]{40}'),
  token('xendit-key', ['xnd_production_', 'xnd_development_'], '[A-Za-z0-9]{40,80}'),
  loose('lob-key', ['live_pub_', 'test_pub_', 'live_', 'test_'], '[a-f0-9]{31,35}'),
  token('easypost-key', ['EZAK', 'EZTK'], '[A-Za-z0-9]{54}'),
  token('shippo-token', ['shippo_live_', 'shippo_test_'], '[a-fA-F0-9]{40}'),
  token('duffel-token', ['duffel_live_', 'duffel_test_'], '[\\w=-]{43}'),
  token('polar-token', ['polar_oat_', 'polar_pat_'], '[A-Za-z0-9]{30,60}'),
  token('checkout-com-key', 'sk_sbox_', '[a-z0-9]{26}[a-z0-9*#$=]'),
  middle('maxmind-key', '_mmk', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}', /_mmk(?![A-Za-z0-9])/),
];

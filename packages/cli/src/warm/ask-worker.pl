# Sends an event to a worker, for `hook.sh`. curl can do the same but takes three times as long, mostly to load libraries.
#
#   perl ask-worker.pl ./<socket> < event > reply
#
# Reads the event only when the worker asks for it. Until then, a cold start can still read it. Exit code 0 means that the
# reply is complete.
use strict;

$SIG{PIPE} = 'IGNORE';
alarm 590;

# AF_UNIX and SOCK_STREAM are 1. Loading Perl's Socket module for their names would take longer than this whole script.
socket my $worker, 1, 1, 0 or exit 1;
connect $worker, pack($^O eq 'linux' ? 'S a*' : 'x C a*', 1, $ARGV[0]) or exit 1;

tell_worker("PUT / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
my $reply = '';
until ($reply =~ /\r\n\r\n/) { hear_worker() or exit 1 }
$reply =~ s{\AHTTP/1\.1 100 [^\r\n]*\r\n\r\n}{} or exit 1;

binmode STDIN;
my $event = do { local $/; <STDIN> };
exit 1 if $event eq '';
tell_worker(sprintf "%x\r\n%s\r\n0\r\n\r\n", length $event, $event);
1 while hear_worker();

my ($head, $body) = split /\r\n\r\n/, $reply, 2;
$head =~ m{\AHTTP/1\.1 200 } && $head =~ /^content-length: (\d+)\r?$/im && length $body == $1 or exit 1;
binmode STDOUT;
print $body and close STDOUT or exit 1;

sub hear_worker { sysread $worker, $reply, 65536, length $reply }

sub tell_worker {
  my ($text) = @_;
  while ($text ne '') { substr $text, 0, syswrite($worker, $text) || exit 1, '' }
}

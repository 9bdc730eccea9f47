#!/bin/sh
# Lesson programs answer wrong flags and files with one line on stderr and exit status 2, leave
# nothing half-written, and repeat every byte. tests/faults.sh has full disks and kills.
# Run: sh tests/test_bad_input.sh FOLDER_OF_PROGRAMS ROOT [EMULATOR...], which starts programs made
# for another machine.
# SPDX-License-Identifier: MIT
[ $# -ge 2 ] || { echo "usage: sh tests/test_bad_input.sh FOLDER_OF_PROGRAMS ROOT [EMULATOR...]" >&2; exit 2; }
. "$(dirname "$0")/shell.sh"
programs=$(cd "$1" && pwd) play=$(cd "$2" && pwd)/common/data/play.txt numbers="1 2 3 4 5 6"
shift 2

# Programs run in box/, far from the tree; the test's own files lie beside it.
mkdir "$work/box" "$work/started" && cd "$work/box" || exit 1
for number in $numbers; do
  [ -f "$programs/lesson$number" ] || { echo "test_bad_input: no file $programs/lesson$number" >&2; exit 1; }
  printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$*" "$programs/lesson$number" >"$work/started/lesson$number"
  chmod +x "$work/started/lesson$number"
  [ $# -gt 0 ] || ln -sf "$programs/lesson$number" "$work/started/lesson$number"
  eval "lesson$number=$work/started/lesson$number"
done
out=$work/stdout err=$work/stderr
export LC_ALL=C LANG=C
unset NO_COLOR

checks=0
check() { # WHAT COMMAND...: the command succeeds
  what=$1; shift; checks=$((checks + 1))
  "$@" || fail "$what"
}
run() { "$@" >"$out" 2>"$err" </dev/null; status=$?; }
snapshot() { find . -type f -exec cksum {} + -o -print | sort; }
call() { echo "${1##*/} $(shift; echo "$*" | cut -c 1-100 | tr '\n' ' ')"; }
accept() { # PROGRAM FLAGS...
  checks=$((checks + 1))
  run "$@"
  [ $status -eq 0 ] || fail "$(call "$@"): exit status $status: $(cat "$err") $(grep FAIL "$out")"
  [ ! -s "$err" ] || fail "$(call "$@"): stderr is $(cat "$err")"
}

# COURSE_SHORT leaves out whole lessons, and what is right.
at_length() { [ -n "${COURSE_SHORT:-}" ] || accept "$@"; }

# Stops a program that trains instead of refusing. $memory: its kilobytes, or empty for all.
memory=
limited() { (ulimit -t 60; [ -z "$memory" ] || ulimit -v "$memory"; exec "$@"); }
refused() { # PART_OF_MESSAGE PROGRAM FLAGS...: one line on stderr, exit status 2
  message=$1; shift; checks=$((checks + 1))
  run limited "$@"
  said=$(cat "$err")
  [ $status -eq 2 ] || { fail "$(call "$@"): exit status $status, not 2"; return; }
  [ "$(wc -l <"$err")" -eq 1 ] || fail "$(call "$@"): not one line on stderr: $said"
  case $said in "${1##*/}: "*"$message"*) ;; *) fail "$(call "$@"): '$said' lacks '$message'" ;; esac
  [ ! -s "$out" ] || fail "$(call "$@"): wrote to stdout"
}

# Reads lines "PART_OF_MESSAGE | WORDS" or "PART_OF_MESSAGE | WORDS | VALUES": each value in turn is
# % in the message and $v in the words. No file may be written. KIND flags: the words are flags
# behind LESSON FLAGS. KIND files: the words are a command, whose output goes to the file `bad`.
refuse_all() { # KIND LESSON FLAGS...
  kind=$1; shift; given=$* before=$(snapshot)
  while IFS='|' read -r pattern words values; do
    eval "set -- ${values:-''}"
    for v in "$@"; do
      part=${pattern% }
      case $part in *%*) part=${part%%\%*}$v${part#*%} ;; esac
      if [ $kind = flags ]; then eval "set -- $given $words"; else eval "$words" >bad; eval "set -- $given"; fi
      program=$work/started/lesson$1; shift
      refused "$part" "$program" "$@"
    done
  done
  rm -f bad
  [ "$before" = "$(snapshot)" ] || { fail "one up to '$part': wrote files"; snapshot; }
}

# ---------------------------------------------------------------------------------------------------- wrong flags

ln -s nowhere dangling
echo kept >plain
mkdir own; echo '<h1>My own page</h1>' >own/index.html
for number in $numbers; do
  refuse_all flags $number <<'END'
--part: '99' is not between | --part 99
--out: | --out $v | plain/below plain
--out: 'own/index.html' is not a page of this course | --out own
--export: cannot write '%' | --export $v | missing/file . /dev/null dangling
END
done
: >empty
printf '%090d' 0 >same
printf 'abababab' >short
gzip -n -c "$play" >packed
{ printf '\377\376'; head -c 4000 "$play" | sed 's/./&\x00/g' | tr '\n' ' '; } >marked
tail -c +3 marked >wide
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n' >pointer
long="--sample 5 --steps 1000000000" # else it would train for days
refuse_all flags <<'END'
unknown flag '--text' | 1 --text "$play"
--rate: '%' is not | 2 --rate "$v" | nan 0 '1 x'
--temperature: '0' is | 2 --sample 5 --temperature 0
--part: with --sample | $v --sample 5 --part 3 | 2 6
--% needs --sample | 2 --$v 1 | temperature prompt
--% goes with --derive | 1 --$v x | line read layer
--prompt: symbol # at position 1 | 2 --sample 5 --prompt 'A#'
--text: cannot read '%' | 2 --text $v | missing . /dev/null
--text: 'empty' is empty | 2 --text empty
--text: 'same' has only one distinct symbol | 2 --text same
--text: 'short' has 8 symbols | 2 --text short
--text: cannot read 'packed': it is compressed with gzip | $v --text packed | 2 6
--text: cannot read 'marked': it is stored as UTF-16 | $v --text marked | 2 6
--text: 'wide' is mostly zeros, as in UTF-16 | $v --text wide | 2 6
--text: cannot read 'pointer': it only points to a file | $v --text pointer | 2 6
--load: cannot read 'pointer': it only points to a file | $v --load pointer | 2 5 6
--save: cannot write '%' | 2 $long --save $v | missing/model plain/model . dangling
--save: with --load | 2 $long --save kept --load kept
--save: '%' is written by the lesson itself | 5 --quick --out page --save $v | page/INDEX.HTML
--images and --labels need each other | 5 $v kept | --images --labels
--%: '0' is not between | 6 --$v 0 | heads width
--heads: 5 heads do not divide a width of 32 | 6 --heads 5
a twentieth of it must be longer than the context of 4000 | 6 --context 4000 --batch 1
--dropout: | 6 --dropout -.5
--others: only part 5 | 6 --recipe C --others 8
--sample: store the model with --save | 6 --recipe C --sample 5
END

# ---------------------------------------------------------------------------------------------------- wrong files

small="--context 2 --dim 2 --hidden 5 --steps 5"
accept "$lesson2" $small --sample 5 --save model
accept "$lesson2" $small --symbols words --sample 5 --save worded
accept "$lesson2" --symbols words --sample 5 --load worded
accept "$lesson1" --export other
size=$(wc -c <model)
refuse_all files 2 --sample 5 --load bad <<'END'
--load: cannot read 'bad': | head -c $v model | 4 $((size - 1))
'bad': tensor 'b1' is [5,1], expected [1,5] | sed 's/"shape":\[1,5\]/"shape":[5,1]/' model
holds no model of lesson 2 (lesson: 1 | cat other
not in ascending order | sed 's/"symbols":"0a20/"symbols":"0a22/' model
holds a number that is not finite | head -c $((size - 4)) model; printf '\377\377\377\177'
END
tr 'Z' '#' <"$play" >other_symbols
refuse_all flags <<'END'
other symbols | 2 --text other_symbols --part 1 --load model
--%: the model of --load has its own | 2 --load model --$v 8 | context dim hidden batch
--symbols: 'letters' is none of bytes, words | 2 --symbols letters
other symbols | 2 --part 1 --load worded
--load: 'model': holds no net of lesson 5 (lesson: 2 | 5 --load model
--load: 'model': holds no model of lesson 6 (lesson: 2 | 6 --sample 5 --load model
--save: 'other_symbols' is read by this run | 2 --text other_symbols --save $v | ./other_symbols
END

# 120 images of 2 x 2 pixels in IDX form, and labels of three classes, or of one.
pixels() { awk -v n="$1" 'BEGIN { for (k = 0; k < n; ++k) printf "%c", 33 + k * k % 90 }'; }
{ printf '\000\000\010\003\000\000\000\170\000\000\000\002\000\000\000\002'; pixels 480; } >images
{ printf '\000\000\010\001\000\000\000\170'; awk 'BEGIN { for (k = 0; k < 120; ++k) printf "%c", 3 + 4 * (k % 3) }'; } >labels
{ printf '\000\000\010\001\000\000\000\170'; head -c 120 /dev/zero | tr '\000' '\003'; } >threes
{ head -c 8 threes; awk 'BEGIN { for (k = 0; k < 120; ++k) printf "%c", 5 + k % 2 }'; } >two
refuse_all flags 5 <<'END'
cannot read '%' | --images $v --labels labels | missing . labels
--save: 'images' is read by this run | --images images --labels labels --save ./images
--fold: 'labels' is read by this run | --images images --labels labels --fold ./labels
--fold: cannot write '%' | --fold $v | missing/file . /dev/null
cannot read 'threes': every label is 3: nothing is to be told apart | --images images --labels threes
--of: no image has the label 4 | --part 7 --images images --labels labels --steps 3 --of 4
--target: no image has the label % | --part 9 --images images --labels labels --steps 3 --target $v | 0 9
END
head -c 307300 /dev/zero >batch # 100 black images of CIFAR-10
refuse_all flags 6 <<'END'
--labels needs --images | --labels labels
--images goes with --part 9 | --part 8 --images batch
--images: cannot read '%' | --part 9 --images $v --labels labels | missing labels
--images: images of 2 x 2 pixels | --part 9 --images images --labels labels
--save: 'batch' is read by this run | --part 9 --images batch --save ./batch
END
refuse_all files 6 --part 9 --images bad <<'END'
label 10 of image 1 (counted from 0) is over 9 | head -c 3073 batch; printf '\012'; head -c 3072 batch
no records of CIFAR-10; IDX needs --labels | head -c $v batch | 0 3072 6147
at least 100 images are needed | head -c 304227 batch
END
accept "$lesson6" --part 9 --images batch --pool class --steps 3 --seeds 1 --out page
accept "$lesson5" --images images --labels labels --part 6 --steps 3 --out page
at_length "$lesson5" --images images --labels labels --quick --save three --fold table --out page
[ ! -f three ] || refuse_all flags 5 <<'END'
--load: 'three': tells 3 classes apart, and these images have 2 | --images images --labels two --load three
--load: 'three': is made for 4 pixels, and these images have 144 | --load three
END
for bytes in 001:000 001:041 002:000 002:377; do # 120 equal images of one pixel and of 2 x 2
  side=${bytes%:*} ink=${bytes#*:}
  {
    printf '\000\000\010\003\000\000\000\170\000\000\000\'$side'\000\000\000\'$side
    head -c $((120 * side * side)) /dev/zero | tr '\000' "\\$ink"
  } >alike
  at_length "$lesson5" --images alike --labels labels --quick --out page
done
# EMNIST's letters have the labels 1 to 26.
{ printf '\000\000\010\001\000\000\000\170'; awk 'BEGIN { for (k = 0; k < 120; ++k) printf "%c", 1 + k % 26 }'; } >letters
at_length "$lesson5" --images images --labels letters --quick --out page
{ printf '\000\000\010\003\000\000\000\170\000\000\000\004\000\000\000\004'; pixels 1920; } >drawn_letters
accept "$lesson6" --part 9 --images drawn_letters --labels letters --steps 3 --seeds 1 --out page
accept "$lesson5" --quick --part 3 --out page --save net
refuse_all flags 5 <<'END'
--load: 'net': is made for 144 pixels, and these images have 4 | --images images --labels labels --load net
END
accept "$lesson5" --quick --part 7 --load net --out page

# Tables of numbers: 60 rows of two inputs and a target, as a spreadsheet writes them, and spoilt.
awk 'BEGIN { print "a;b;y\r"; for (k = 0; k < 60; ++k) printf "%d,5;%d;%d,25\r\n", k % 7, k % 5, k % 3 + k % 7 * (k % 5) }' >table
for table in 'cat table' "printf '\357\273\277'; cat table" "tr ';,' '\t.' <table" "tr ';,' ',.' <table"; do
  (eval "$table") >told && accept "$lesson3" --quick --data told --out page
done
accept "$lesson3" --quick --data table --out page --save fitted
accept "$lesson3" --data table --out page --load fitted
refuse_all flags 3 <<'END'
--data: cannot read '%': | --data $v | missing . /dev/null empty
--% needs --data | --$v 1 | targets save load
--data goes with --part 8 | --data table --part 3
--data: 'table' has 3 columns: with --targets % none is left | --data table --targets $v | 3 4
--targets: the stored network has its own | --data table --load fitted --targets 1
--save: with --load | --data table --load fitted --save other
--save: 'table' is read by this run | --data table --save ./table
--load: cannot read 'images': not a safetensors file | --data table --load images
END
refuse_all files 3 --data bad --quick <<'END'
'bad': it has no row of numbers | : | 1
'bad': it has no row of numbers | head -n 1 table
'bad': line 62 has 2 fields, and line 1 has 3 | cat table; echo '1;2'
'bad': line 62, column 2: '%' is no number | cat table; echo "1;$v;2" | two nan -inf 1e999 0x10 1.234,5
'bad': line 62, column 2: '1e200' is beyond 1e100 | cat table; echo '1;1e200;2'
'bad': line 62, column 3 is empty | cat table; echo '1;2;'
'bad': it holds a zero byte | cat table; printf '1;2;\0003\n'
'bad' has 20 rows, and needs 50 | head -n 21 table
'bad' has one number in all rows of its target 'y' | sed '2,$s/;[^;]*$/;3/' table
END
refuse_all files 3 --data table --load bad <<'END'
--load: cannot read 'bad': | head -c 100 fitted
--load: 'bad': holds no network of lesson 3 (lesson: 5, model: | sed 's/"lesson":"3"/"lesson":"5"/' fitted
END
printf '1,2\n3,x\n' >no_number
printf '1\n2\n' >one_column
printf 'x,y,both\n0,0,0\n1,0,0\n0,1,0\n1,1,1\n' >rows
accept "$lesson4" --quick --data rows --out page
accept "$lesson4" --quick --part 10 --table 0,1 --out page
refuse_all flags 4 <<'END'
--table has 3 answers | --part 10 --table 011
--table has 0 answers | --part 10 --table ,
--table: '0120' has more than zeros and ones | --part 10 --table 0120
never varies | --part 10 --table 1111
choose one | --part 10 --table 01 --data rows
--data: cannot read 'nowhere' | --data nowhere
line 2, column 2: 'x' is no number | --data no_number
--data: 'one_column' has 2 rows of 1 number | --data one_column
--data goes with --part 10 | --data rows --part 4
END

tiny="--width 8 --heads 2 --context 8 --batch 4 --dropout .1 --attention bma --out page"
accept "$lesson6" --recipe C --steps 20 $tiny --save whole
accept "$lesson6" --recipe C --steps 20 --symbols words $tiny --save in_words
accept "$lesson6" --load in_words --sample 30 --prompt 'The Duke'
check "a model of words writes them" grep -q '^The Duke' "$out"
accept "$lesson6" --load whole --sample 30
check "--sample writes that many symbols and a newline" test "$(wc -c <"$out")" -eq 31
{ yes ab | tr -d '\n' | head -c 18000; yes aabb | tr -d '\n' | head -c 2000; } >turned
accept "$lesson6" --recipe C --steps 100 $tiny --text turned
check "the loss is that of the last tenth, which is not trained on" grep -Eq 'after 100 steps: ([1-9]|0\.[5-9])' "$out"
refuse_all flags 6 <<'END'
--attention: the stored model has its own | --load whole --attention post --part 8
--feedforward: the stored model has its own | --load whole --feedforward swish --part 8
--feedforward | --feedforward relu
--feedforward | --feedforward
--prompt: symbol | --load whole --sample 5 --prompt '#'
END
refuse_all files 6 --sample 5 --load bad <<'END'
'bad': tensor 'tok.weight' is [65,8], and the metadata say [65,9] | sed 's/"width":"8"/"width":"9"/' whole
its feedforward, 'relu', is not known | sed 's/"gelu"/"relu"/' whole
tensor 'blocks.0.mlp.up.weight' is [32,8], expected [21,8] | sed 's,"gelu","swiglu",; s,"last_rate":"0.1","last_rate":"1",' whole
'bad': no tensor | sed 's/"layers":"1"/"layers":"9"/' whole
a width of 8 is not divisible by 3 heads | sed 's/"heads":"2"/"heads":"3"/' whole
its context, 'x', is not a number | sed 's/"context":"8"/"context":"x"/' whole
its symbols: ' the' is no word, or is there twice | sed 's/ 20616e64 / 20746865 /' in_words
END
rm -r page

# A diverged training leaves only the old model behind.
diverges() {
  before=$(snapshot)
  run "$lesson2" --rate 100 --steps 300 --sample 5 --save model
  [ $status -eq 1 ] && [ "$(wc -l <"$err")" -eq 1 ] && [ "$before" = "$(snapshot)" ] &&
    grep -q 'lesson2: .* at step [0-9]* .* try a smaller --rate' "$err"
}
check "--rate 100 stops, says at which step and what to try" diverges
rm -rf ./*

done_here() {
  echo "test_bad_input: $checks checks, $failed failed"
  [ $failed -eq 0 ]
  exit
}
[ -z "${COURSE_SHORT:-}" ] || done_here

# -------------------------------------------------------------------------------------------------- what is right

# Finds lines wider than 80 code points, or $2: bytes that continue a UTF-8 character do not count.
narrow() {
  awk -v most="${2:-80}" '{ gsub(/[\200-\277]/, "") } length($0) > most { print; bad = 1 } END { exit bad }' "$1"
}
presentable() { # NAME FILE
  grep -v '^wrote ' "$2" >"$work/lines" # paths may be long
  check "$1: at most 80 columns" narrow "$work/lines"
  check "$1: no control characters" test "$(tr -cd '\000-\011\013-\037\177' <"$2" | wc -c)" -eq 0
  ! command -v iconv >/dev/null || check "$1: valid UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "$2"
}
self_contained() {
  ! sed "s/http:\/\/www\.w3\.org\/[^\"']*//g" "$1" |  # a namespace, which nobody fetches
     grep -qE 'https?:|src=|<link|<script[^>]|@import|url\('
}

# Any bytes are a text: a mark in front, CR LF, NUL, all of them.
{
  printf '\357\273\277'
  sed -e 's/$/\r/' -e 200q "$play" | tr 'q' '\000'
  awk 'BEGIN { for (k = 0; k < 256; ++k) printf "%03o\n", k }' | while read -r code; do printf "\\$code"; done
} >bytes
accept "$lesson2" --text bytes --steps 3 --sample 20
accept "$lesson2" --text bytes --quick --out page
{ printf '%02000d' 0; printf '%0220d' 1 | tr 0 1; } >novel # the rest lacks the symbol at its end
accept "$lesson2" --text novel --quick --part 6 --out page
check "a loss that does not exist" sh -c '! grep -wE "inf|nan" "$1"' sh "$out"
accept "$lesson2" --quick --part 6 --steps 3 --rate 3 --out page
check "a number of twenty digits" sh -c '! grep -E "[0-9]{20}" "$1"' sh "$out"
presentable "lesson 2 on bytes" "$out"
rm -rf ./*

# Prints the parts without title, answer, closing, empty lines, threads, times, and claim counts.
body() {
  sed -e '1,/^Seed .* threads*\.$/d' -e '/^The answer$/,$d' -e '/^[0-9]* of [0-9]* claims hold/,$d' "$1" |
    sed -e '/ took .* s /d' -e '/^\[..\] [0-9]* of [0-9]* claims* holds*/d' -e '/^\[--\] [0-9]* shown/d' -e '/^$/d'
}
drawn() { (cd page && find . -name '*.svg' -exec cksum {} + | sort); }

# The whole with one thread prints what the parts print with 8, 3 and 2 in turn. COURSE_BRIEF leaves
# this out: under the sanitizers it takes minutes and sees nothing new.
same_bytes() {
  accept "$lesson" --quick --all --threads 1 --out page
  body "$out" >"$work/whole"
  drawn >"$work/drawn"
  presentable "$title --quick" "$out"
  check "$title: index.html needs nothing else" self_contained page/index.html
  rm -r page; : >"$work/parts"; part=$first threads="8 3 2"
  while [ "$part" -le "$last" ]; do
    threads="${threads#* } ${threads%% *}"
    accept "$lesson" --quick --all --threads "${threads##* }" --part "$part" --out page
    body "$out" >>"$work/parts"
    part=$((part + 1))
  done
  drawn >"$work/drawn.parts"
  grep -vxFf "$work/parts" "$work/whole" >"$work/more"
  check "$title as a whole prints what its parts print, with other threads too" test ! -s "$work/more"
  check "$title part by part, with other threads, draws the same" cmp "$work/drawn" "$work/drawn.parts"
  check "$title has a text and draws" test -s "$work/whole" -a -s "$work/drawn"
}
for number in $numbers; do
  lesson=$work/started/lesson$number title=lesson$number
  accept "$lesson" --help
  presentable "$title --help" "$out"
  first=$(sed -n 's/.*run this part only (\([0-9]*\) to.*/\1/p' "$out")
  last=$(sed -n 's/.*run this part only ([0-9]* to \([0-9]*\)).*/\1/p' "$out")
  derivations=$("$lesson" --derive none 2>&1 | tr ' ,' '\n\n' | grep "^$number\.[0-9]")
  check "$title has derivations" test -n "$derivations"
  for derivation in $derivations; do
    run "$lesson" --derive "$derivation"
    presentable "$title --derive $derivation" "$out"
  done
  check "$title --help names the parts" test "${last:-0}" -gt "${first:-0}"
  [ -n "$COURSE_BRIEF" ] || same_bytes
  accept "$lesson" --export one
  accept "$lesson" --export two
  check "$title --export is the same each time" cmp one two
  for where in closed /dev/full; do # output that nobody receives is no success
    [ $where = closed ] || [ -c $where ] || continue
    if [ $where = closed ]; then "$lesson" --help >&- 2>"$err"; else "$lesson" --help >$where 2>"$err"; fi
    check "$title --help to $where" test $? -eq 2 -a "$(grep -c ': the output could not be written$' "$err")" -eq 1
  done
  rm -rf ./*
done

sample() { accept "$lesson2" $small --sample 50 "$@"; cp "$out" "$work/sample"; }
sample --seed 7 --save model; cp "$work/sample" "$work/saved"
accept "$lesson2" --load model --seed 7 --sample 50
check "--load writes what --save wrote" cmp "$work/saved" "$out"
"$lesson2" --context 2 --dim 2 --hidden 5 --steps 100000000 --sample 1 --save stopped >"$out" 2>"$err" </dev/null &
trained=$!
sleep 1; kill -INT $trained; wait $trained
check "Ctrl-C ends a training with status 130" test $? -eq 130
check "and says what it saved" grep -q '^Stopped after [0-9]* of 100000000 steps; stopped holds' "$out"
accept "$lesson2" --load stopped --sample 5
mv model "$work/model"
run "$lesson2" --load "$work/model" --text "$work/none" --seed 7 --sample 50
check "--load --sample needs no text" cmp "$work/saved" "$out"
mv "$work/model" model
sample --seed 7 --threads 3; check "--seed repeats a run" cmp "$work/saved" "$work/sample"
name=$(printf 'a\033[31m\nb')
run "$lesson1" --quick --part 2 --out "$name"
check "control bytes of --out do not reach the terminal" test "$(tr -cd '\033' <"$out" | wc -c)" -eq 0
run env PATH="$work/started:$PATH" lesson2 --quick --part 1 --out page
check "the course's text is found by a program in PATH" test $status -eq 0

# What does not fit must be refused before any work. Nothing fits an address sanitizer's needs.
memory=1000000
if limited "$lesson1" --help >"$out" 2>&1; then
  dd if=/dev/zero of="$work/large" bs=1 count=0 seek=2000000000 2>/dev/null
  ln -s "$work/large" large
  refuse_all flags <<'END'
--context, --dim, --hidden, --batch, --threads: about 64 GB of | 2 --context 64 --dim 4096 --hidden 4096 --threads 1
--width, --context, --batch, --threads: about | 6 --context 2048 --batch 4096
--steps: about | $v --steps 1000000000 | 1 4
--text: cannot read 'large': about | $v --text large --threads 1 | 2 6
--load: cannot read 'large': about | $v --load large --threads 1 | 2 5 6
--images: cannot read 'large': about | $v --images large --labels large --threads 1 | 5 '6 --part 9'
END
  memory=2000000 # less than what 255 stacks take
  for number in $numbers; do refused "--threads: 256 cannot be had (" "$work/started/lesson$number" --threads 256; done
fi
memory=
# Where the system allows no second thread, and nobody asked for one, one does the work. The superuser is allowed all.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null && command -v prlimit >/dev/null; then
  mkdir "$work/open" && chmod 711 "$work" && chmod 777 "$work/open" && cp "$lesson1" "$work/open/lesson1"
  setpriv --reuid=65534 --regid=65534 --clear-groups prlimit --nproc=1 \
    "$work/open/lesson1" --part 1 --quick --out "$work/open/out" >"$out" 2>"$err" || fail 'no second thread, and nobody asked for one'
  grep -q '^Seed 1, 1 thread\.' "$out" || fail 'no second thread: it says that there are more'
fi

# Colour is for windows; script(1) provides one.
in_window() { script -qec "$1" /dev/null </dev/null; }
if command -v script >/dev/null && in_window true >/dev/null 2>&1; then
  escape=$(printf '\033')
  command="TERM=xterm '$lesson1' --part 1 --out page 2>/dev/null"
  in_window "$command" >"$out"; check "colour in a window" grep -q "$escape" "$out"
  in_window "NO_COLOR=1 $command" >"$out"; check "NO_COLOR: no colour" test "$(grep -c "$escape" "$out")" -eq 0
  in_window "stty cols 40; NO_COLOR=1 '$lesson1' --quick --out page 2>/dev/null" | tr -d '\r' | grep -v '^wrote ' >"$work/lines"
  check "lesson 1 keeps to a window of 40 columns" narrow "$work/lines" 40
fi

done_here
